import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct KituraFailureTests {
  @Test(arguments: rows) func failures(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("kitura").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a record that is not there is not found by any verb
    each ID  99  -1
    get todos/{ID}                   > GET /{ID}  < 404  ! notFound rejected
    update todos/{ID} {"title":"T"}  > PATCH /{ID} {"title":"T"}  < 404  ! notFound rejected
    update todos/{ID} -title         > GET /{ID}  < 404  ! notFound rejected
    delete todos/{ID}                > DELETE /{ID}  < 404  ! notFound rejected
    # a status has its code, and the text of the response is shown if there is one
    get todos/1  < 413  ! invalid rejected
    get todos/1  < 415  ! misconfigured rejected
    get todos/1  < 422  ! invalid rejected: request rejected (422)
    get todos/1  < 503  ! unavailable rejected
    get todos/1  < 422 Could not decode received data: "order" {
      ! invalid rejected: request rejected (422): Could not decode received data: "order" {
    get todos/1  < 503 Could not decode received data: "order" {  ! unavailable rejected: ..."order" {; hint: ...
    get todos/1
      < 422 \#(String(repeating: "x", count: 5_000))
      ! invalid rejected: request rejected (422): \#(String(repeating: "x", count: 199))…
    update todos/1 {"title":"T"}  < 413  ! invalid rejected
    update todos/1 {"title":"T"}  < 415  ! misconfigured rejected
    # a 404 with the text of a missing route is a fault of the configuration
    get todos/1       < 404 Cannot GET /a/b/1.     ! misconfigured rejected
    list todos        < 404 Cannot GET /a/b/.      ! misconfigured rejected
    delete todos/1    < 404 Cannot DELETE /a/b/1.  ! misconfigured rejected
    delete all todos  < 404 Cannot DELETE /a/b/.   ! misconfigured rejected
    # a success that is a web page is a bad response
    each TYPE  text/html  Text/HTML; charset=utf-8
    list todos       < 200 <html></html>  < Content-Type: {TYPE}  ! badResponse rejected: ...web page...
    get todos/1      < 200 <html></html>  < Content-Type: {TYPE}  ! badResponse rejected: ...web page...
    create todos {}  < 200 <html></html>  < Content-Type: {TYPE}  ! badResponse unknown: ...web page...
    # a success that holds no list of records is a bad response
    each BODY  {}  3  [3]  ""  [{"id":1}
    list todos  < 200 {BODY}  ! badResponse rejected
    # a create that the server gives up on leaves open what became of it, and names the missing fields
    create todos {"title":"a"}
      > POST / {"title":"a"}
      < 503
      ! unavailable unknown: ...; user and order are missing, and some servers require them; hint: ...
    create todos {"title":"a","user":"b","order":1}  < 503  ! unavailable unknown: server error (503); hint: ...
    update todos/0 -completed
      > GET /0  > PUT /0 {"title":"a","user":"b","order":1}
      < 200 {"id":0,"title":"a","user":"b","order":1,"completed":true}  < 503
      ! unavailable unknown: ...; completed is missing, which some servers require; hint: ...
    """#)
}
