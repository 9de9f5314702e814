import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct BaasicWritingTests {
  @Test(arguments: rows) func writes(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("baasic").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # the identifier of a new record is taken from the body
    each STATUS  200  201
    create todo {"title":"x","id":""}
      > POST /resources/todo {"title":"x"}  > Content-Type: application/json; charset=UTF-8  > effect: write
      < {STATUS} {"title":"x","id":"r1"}
      = r1 {"title":"x","id":"r1"}
    # an empty response to a new record is success with an unknown identifier
    each STATUS  200  201  204
    create todo {"title":"x"}
      < {STATUS}  = -; hidden title; note: the server did not report the new record's identifier...
    # a chosen identifier is refused
    create todo {"id":"a"}  ! invalid notSent
    # an update sends only what changed, and success may have no body
    each STATUS  200  204
    update todo/a {"title":"y"}  > PATCH /resources/todo/a {"title":"y"}  < {STATUS}  = a...
    update todo/a {"title":"y"}  < 200 {"id":"a","title":"y","b":1}  = a {"id":"a","title":"y","b":1}
    # a missing record is not found by any verb, and a conflict of a new record is that it exists
    get todo/a                   < 404  ! notFound rejected
    update todo/a {"title":"y"}  < 404  ! notFound rejected
    update todo/a -title         < 404  ! notFound rejected
    delete todo/a                < 404  ! notFound rejected
    create todo {"title":"x"}    < 409  ! alreadyExists rejected
    # a replacement holds the whole record, with unknown fields, and neither links nor what is embedded
    each RECORD  {"id":"a","title":"x","n":1.10,"unknown":{"b":[null]},"_links":{},"_embedded":{},"links":[],"embed":"e"}
    prepare {"embed":"owner"}
    update todo/a -title {"b":1}
      > GET /resources/todo/a  > PUT /resources/todo/a {"id":"a","n":1.10,"unknown":{"b":[null]},"b":1}
      < 200 {RECORD}  < 204
    prepare {"update":"put","embed":"owner"}
    update todo/a {"title":"y"}
      > GET /resources/todo/a  > PUT /resources/todo/a {"id":"a","title":"y","n":1.10,"unknown":{"b":[null]}}
      < 200 {RECORD}  < 204
    # a record read in part is never sent back: a replacement reads it again whole
    prepare {"update":"put","resources":{"todo":{"title":"text","count":"integer"}}}
    records todo --fields title  < 200 {"item":[{"id":"a","title":"x"}],"totalRecords":1}  = ...unloaded count; total 1
    update todo/a {"title":"y"}
      > GET /resources/todo/a  > PUT /resources/todo/a {"id":"a","title":"y","unknown":{"b":[null]}}
      < 200 {"id":"a","title":"x","unknown":{"b":[null]}}  < 204
    # a schema is replaced whole, named by its name, and read if the response does not show it
    update schemas/todo {"description":"e"}
      > GET /schemas/todo  > PUT /schemas/todo {"id":"s","name":"todo","schema":{},"description":"e"}
      < 200 {"id":"s","name":"todo","schema":{},"description":"d"}  < 204
    create schemas {"name":"todo","schema":{}}
      > POST /schemas {"name":"todo","schema":{}}  > GET /schemas/todo
      < 201  < 200 {"name":"todo","schema":{}}
      = todo...
    create schemas {"name":"todo","schema":{}}  < 409  ! alreadyExists rejected
    # a schema is read before it is deleted, since the server would delete one of a name in another case
    delete schemas/todo  > GET /schemas/todo  > DELETE /schemas/todo  < 200 {"name":"todo"}  < 204  = todo...
    delete schemas/TODO  > GET /schemas/TODO  < 200 {"name":"todo"}  ! notFound rejected
    # a deletion names one record, and is not repeatable
    delete todo/a  > DELETE /resources/todo/a  > effect: write  < 204  = a
    delete todo/a  > DELETE /resources/todo/a  < 502  ! unavailable unknown
    # a web page does not pass for a write
    each CALL  create todo {"title":"x"}  update todo/a {"title":"y"}  delete todo/a
    {CALL}  < 200 <html>  < Content-Type: text/html; charset=utf-8  ! badResponse unknown
    # no identifier empties a resource
    each ID  purge  Purge  batch  BATCH  purge%20  purge%2F  .%2Fpurge  ""  .  ..
    delete todo/{ID}  ! invalid notSent
    # all records at once cannot be deleted
    delete all todo  ! unsupported notSent
    # field names of another todo are passed on, not translated
    create todo {"isComplete":true,"userId":1}
      > POST /resources/todo {"isComplete":true,"userId":1}  > GET /resources/todo/a
      < 200 {"id":"a","isComplete":true}
      = a {"id":"a","isComplete":true}; hidden userId...
    # a date is written as it was given
    prepare {"resources":{"todo":{"scheduledDate":"date"}}}
    update todo/a {"scheduledDate":"2017-10-03 09:00:00"}
      > PATCH /resources/todo/a {"scheduledDate":"2017-10-03 09:00:00"}  < 204
    # an access list is read, and nothing is an empty one
    act acl todo/x%2Fy {}
      > GET /resources/todo/x%2Fy/acl  > effect: read
      < 200 [{"actionId":"a","roleId":"r"}]
      = ...; answer [{"actionId":"a","roleId":"r"}]
    act acl todo/b {}  > GET /resources/todo/b/acl  < 204  = ...; answer []
    # a grant sends a list of one policy, a withdrawal names all in its path
    act grant todo/b {"actionId":"a","userId":"u"}
      > PUT /resources/todo/b/acl [{"actionId":"a","userId":"u"}]  > effect: write
      < 201 [{"actionId":"a","userId":"u"}]
    act withdraw-role todo/b {"action":"Read","role":"a/b é"}
      > DELETE /resources/todo/b/acl/actions/Read/roles/a%2Fb%20%C3%A9  > effect: write  < 204
    act withdraw-user todo/b {"action":"Read","user":"bo"}
      > DELETE /resources/todo/b/acl/actions/Read/users/bo  > effect: write  < 204
    # a name that is not a valid path is refused
    each NAME  ""  .  ..
    act withdraw-user todo/b {"action":"Read","user":"{NAME}"}  ! invalid notSent
    """#)
}
