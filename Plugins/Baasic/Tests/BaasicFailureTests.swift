import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct BaasicFailureTests {
  @Test(arguments: rows) func failures(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("baasic").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # the status decides, whatever the body says
    each BODY  ""  <html>secret</html>  {"errorCode":404,"statusCode":"200","details":"d"}
    update todo/a {"title":"x"}  < 400 {BODY}  ! invalid rejected
    update todo/a {"title":"x"}  < 404 {BODY}  ! notFound rejected
    update todo/a {"title":"x"}  < 409 {BODY}  ! conflict rejected
    update todo/a {"title":"x"}  < 411 {BODY}  ! invalid rejected
    update todo/a {"title":"x"}  < 500 {BODY}  ! badResponse unknown
    update todo/a {"title":"x"}  < 302 {BODY}  ! badResponse unknown
    update todo/a {"title":"x"}  < 307 {BODY}  ! misconfigured rejected
    update todo/a {"title":"x"}  < 408 {BODY}  ! timedOut unknown
    update todo/a {"title":"x"}  < 425 {BODY}  ! unavailable rejected
    # nothing is quoted of a page
    update todo/a {"title":"x"}  < 400 <html>secret</html>  ! invalid rejected: request rejected (400)
    # the server's own words are passed on from where they are
    create todo {"a":1}
      < 400 {"message":"M","error_description":"D","error":"E"}  ! invalid rejected: request rejected (400): M
    create todo {"a":1}
      < 400 {"error":"invalid_grant","error_description":"D"}  ! invalid rejected: request rejected (400): D
    create todo {"a":1}  < 400 {"error":"E","message":""}  ! invalid rejected: request rejected (400): E
    create todo {"a":1}  < 400 {"error":{"a":1}}           ! invalid rejected: request rejected (400)
    """#)
}
