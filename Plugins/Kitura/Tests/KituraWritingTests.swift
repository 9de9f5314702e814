import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct KituraWritingTests {
  @Test(arguments: rows) func writes(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("kitura").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a todo is created, and bodies are sent with the bare type that one release compares as a whole
    create todos {"title":"a","user":"u"}
      > POST / {"title":"a","user":"u"}  > Content-Type: application/json  > effect: write
      < 201 {"url":"http://localhost:8080\/0","id":0,"user":"u","completed":false,"title":"a"}
      = 0 {"url":"http://localhost:8080/0","id":0,"user":"u","completed":false,"title":"a"}
    # an update sends what changed and nothing else
    update todos/0 {"title":"b","order":-1}
      > PATCH /0 {"title":"b","order":-1}  > Content-Type: application/json  > effect: repeatableWrite
      < 200 {"id":0,"title":"b","user":"u","order":-1}
      = 0 {"id":0,"title":"b","user":"u","order":-1}
    # a field is cleared by a replacement that keeps the others
    update todos/0 -user {"title":"b"}
      > GET /0  > PUT /0 {"title":"b","order":7,"completed":true}  > Content-Type: application/json
      > effect: repeatableWrite
      < 200 {"id":0,"title":"a","user":"u","order":7,"completed":true,"url":"u"}
      < 200 {"id":0,"title":"b","order":7,"completed":true,"url":"u"}
      = 0 {"id":0,"title":"b","order":7,"completed":true,"url":"u"}; note: read and replaced: concurrent changes are lost
    # a null is a field left out, and a note says so
    update todos/0 {"user":null,"title":"b"}
      > GET /0  > PUT /0 {"title":"b","order":7}
      < 200 {"id":0,"title":"a","user":"u","order":7}  < 200 {"id":0,"title":"b","order":7}
      = 0 {"id":0,"title":"b","order":7}; note: read and replaced: ...; note: the server does not store null: user is left out of the record
    create todos {"user":null}
      > POST / {}
      < 201 {"id":0,"completed":false,"url":"u"}
      = 0 {"id":0,"completed":false,"url":"u"}; note: the server does not store null: user is left out of the record
    # a server without PUT cannot clear a field
    update todos/0 -user
      > GET /0  > PUT /0 {"title":"a"}
      < 200 {"id":0,"title":"a","user":"u"}  < 404 Cannot PUT /0.
      ! unsupported rejected
    prepare {"put":"absent"}
    update todos/0 -user  ! unsupported notSent
    # a response with no more than was sent is completed by reading the record
    update todos/0 {"title":"b"}
      > PATCH /0 {"title":"b"}  > GET /0
      < 200 {"title":"b"}  < 200 {"id":0,"title":"b","user":"u"}
      = 0 {"id":0,"title":"b","user":"u"}
    update todos/99 {"title":"b"}  > PATCH /99 {"title":"b"}  > GET /99  < 200 {"title":"b"}  < 404  ! notFound rejected
    # what the server would refuse or ignore is refused before anything is sent
    each FIELD  "order":9223372036854775808  "order":-9223372036854775809  "order":1.5  "order":1e400  "order":"5"  "order":true
    create todos {{FIELD}}    ! invalid notSent: ...order...
    update todos/0 {{FIELD}}  ! invalid notSent: ...order...
    # a field of another type, and one that only the server sets, is refused
    each FIELD  "completed":1  "completed":"true"  "title":5  "user":[]  "id":5  "url":"x"
    create todos {{FIELD}}    ! invalid notSent
    update todos/0 {{FIELD}}  ! invalid notSent
    # every whole number of 64 bits is taken, however it is written
    each N  9223372036854775807  -9223372036854775808
    create todos {"order":{N}}  > POST / {"order":{N}}  < 201 {"id":0,"order":{N}}  = 0 {"id":0,"order":{N}}
    # a number that the server writes otherwise is the same number
    create todos {"order":1.0}  > POST / {"order":1.0}  < 201 {"id":0,"order":1}     = 0 {"id":0,"order":1}
    create todos {"order":1e3}  > POST / {"order":1e3}  < 201 {"id":0,"order":1000}  = 0 {"id":0,"order":1000}
    # a field that the server does not know is named
    create todos {"title":"a","color":"red"}
      < 201 {"id":0,"title":"a"}  = 0 {"id":0,"title":"a"}; note: the server did not store color as sent
    update todos/0 {"color":"red"}  < 200 {"id":0,"title":"a"}  ! badResponse unknown
    # an update without changes or with a revision cannot be made
    update todos/0                              ! invalid notSent
    update todos/0 {"title":"a"} --revision 1  ! unsupported notSent
    # a deletion names one record and is not repeatable; the same again finds nothing
    each STATUS  200  204
    delete todos/1  > DELETE /1  > effect: write  < {STATUS}  = 1
    delete todos/1  > DELETE /1  < 404  ! notFound rejected
    # all records are deleted if that is asked for
    each STATUS  200  204
    delete all todos  > DELETE /  > effect: write  < {STATUS}  = -
    # a record that a lenient server would call deleted is looked for first
    prepare {"delete":"lenient"}
    delete todos/9  > GET /9  < 404  ! notFound rejected
    delete todos/1  > GET /1  > DELETE /1  < 200 {"id":1}  < 200  = 1
    # a deletion that a gateway never passed on may have been made
    delete todos/1  > DELETE /1  < 502 <html>  ! unavailable unknown
    # a web page does not pass for a deletion
    each WHICH  todos/1  all todos
    delete {WHICH}  < 200 <html>  < Content-Type: text/html  ! badResponse unknown
    """#)
}
