import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct GrailsFailureTests {
  @Test(arguments: rows) func failures(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("grails").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a record that is not there is not found by any verb
    each ID  999  -1
    get announcements/{ID}                   > GET /announcements/{ID}     < 404  ! notFound rejected: not found (404)
    update announcements/{ID} {"title":"T"}  > PUT /announcement/{ID} {"title":"T"}  < 404  ! notFound rejected
    delete announcements/{ID}                > DELETE /announcement/{ID}   < 404  ! notFound rejected
    # an address or version that the server does not know is a fault of the configuration
    prepare {"apiVersion":"9.9"}
    get announcements/2
      > GET /announcements/2
      < 404 {"message":"Not Found","error":404}
      ! misconfigured rejected: .../announcements/2 in version 9.9; hint: ...apiVersion...
    list announcements
      < 404 {"message":"Not Found","error":404}
      ! misconfigured rejected: .../announcements in version 9.9; hint: ...apiVersion...
    prepare {"writePath":"announcements"}
    delete announcements/2
      > DELETE /announcements/2
      < 404 {"message":"Not Found","error":404}
      ! misconfigured rejected: the server has no route DELETE /announcements/2; hint: ...writePath...
    # any body of a status 404 speaks of the address
    each BODY  <html>gone</html>  {}  {"error":"gone"}  {"message":"Not Found","error":404}
    each BODY  {"timestamp":1,"status":404,"error":404}
    get announcements/2  < 404 {BODY}  ! misconfigured rejected
    # a status has its code, and a redirected create may have been made
    get announcements/2  < 405  ! misconfigured rejected
    get announcements/2  < 406  ! misconfigured rejected
    get announcements/2  < 302  ! misconfigured rejected
    create announcements {"title":"T"}  < 405  ! misconfigured rejected
    create announcements {"title":"T"}  < 406  ! misconfigured rejected
    create announcements {"title":"T"}  < 409  ! alreadyExists rejected
    create announcements {"title":"T"}  < 302  ! badResponse unknown
    # messages are found in all three shapes, and their absence does no harm
    create announcements {"title":"T"}
      < 422 {"message":"one","path":"/announcement/index"}  ! invalid rejected: request rejected (422): one
    create announcements {"title":"T"}
      < 422 {"total":2,"_embedded":{"errors":[{"message":"one"},{"message":"two"}]}}
      ! invalid rejected: request rejected (422): one; two
    create announcements {"title":"T"}
      < 422 {"errors":[{"object":"A","field":"title","rejected-value":null,"message":"one"}]}
      ! invalid rejected: request rejected (422): one
    create announcements {"title":"T"}  < 422 <html></html>  ! invalid rejected: request rejected (422)
    create announcements {"title":"T"}  < 422 [1]            ! invalid rejected: request rejected (422)
    create announcements {"title":"T"}  < 422                ! invalid rejected: request rejected (422)
    # a message that repeats a long value is shortened
    create announcements {"title":"T"}
      < 422 {"message":"\#(String(repeating: "x", count: 5_000))"}
      ! invalid rejected: request rejected (422): \#(String(repeating: "x", count: 199))…
    """#)
}
