import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct JSONPlaceholderWritingTests {
  @Test(arguments: rows) func writes(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("jsonplaceholder").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a record is made without an identifier, as JSON, at the path without a slash at its end
    prepare {"writes":"kept"}
    create todos {"title":"飞机 ✈️","completed":false}
      > GET /todos?_page=1&_limit=1  > POST /todos {"title":"飞机 ✈️","completed":false}
      > Content-Type: application/json  > effect: write
      < 200 [{"id":1,"completed":true}]  < 201 {"title":"飞机 ✈️","completed":false,"id":31}
      = 31 {"title":"飞机 ✈️","completed":false,"id":31}
    # the identifier of a record cannot be changed
    update todos/1 {"id":7}  ! invalid notSent
    # the new identifier is taken from the body, not from the Location
    prepare {"writes":"kept"}
    create todos {"title":"x"}
      > POST /todos {"title":"x"}
      < 201 {"title":"x","id":31}  < Location: http://evil.example/todos//999
      = 31 {"title":"x","id":31}
    create todos {"title":"x"}
      > POST /todos {"title":"x"}  > GET /todos/31
      < 201 {"id":31}  < 200 {"id":31}
      = 31 {"id":31}; hidden title; note: the server does not show title: it may not have been stored
    # an update sends only what changed
    prepare {"writes":"kept"}
    update todos/3 {"title":"new","note":null}
      > PATCH /todos/3 {"title":"new","note":null}  > Content-Type: application/json
      < 200 {"userId":1,"id":3,"title":"new","note":null}
      = 3 {"userId":1,"id":3,"title":"new","note":null}
    # the removal of a field sends the whole record again, with unknown fields
    prepare {"writes":"kept"}
    update todos/1 -note {"title":"b"}
      > GET /todos/1  > PUT /todos/1 {"id":1,"title":"b","completed":1,"extra":{"x":[1,null]}}
      < 200 {"id":1,"title":"a","completed":1,"extra":{"x":[1,null]},"note":"n"}
      < 200 {"title":"b","completed":1,"extra":{"x":[1,null]},"id":1}
      = 1 ...
    # a 0 or 1 for a boolean is sent as a boolean, and a note says so
    prepare {"writes":"kept"}
    create todos {"title":"x","completed":1,"priority":1}
      > GET /todos?_page=1&_limit=1  > POST /todos {"title":"x","completed":true,"priority":1}
      < 200 [{"id":1}]  < 201 {"title":"x","completed":true,"priority":1,"id":31}
      = 31 {"title":"x","completed":true,"priority":1,"id":31}; note: completed was sent as true, the form this server stores
    # a missing record is not found by an update or a deletion, on a server that keeps writes
    each WRITES  auto  kept
    prepare {"writes":"{WRITES}"}
    update todos/999 {"title":"x"}  < 404 {}  ! notFound rejected
    update todos/999 -title         < 404 {}  ! notFound rejected
    delete todos/999                < 404 {}  ! notFound rejected
    # nor on one that only echoes them, whatever it answers
    each WRITES  auto  echoed
    prepare {"writes":"{WRITES}"}
    update todos/999 {"title":"x"}  < 200 {"title":"x"}  < 404 {}  ! notFound rejected
    update todos/999 -title  < 404 {}  ! notFound rejected
    delete todos/999         < 404 {}  ! notFound rejected
    # a record is made below its owner with the owner's number, not the text of the path
    prepare {"writes":"kept"}
    create users/2/todos {"title":"x"}
      > GET /users/2  > POST /todos {"title":"x","userId":2}
      < 200 {"id":2}  < 201 {"title":"x","userId":2,"id":31}
      = 31 {"title":"x","userId":2,"id":31}
    create users/2/todos {"title":"x","userId":3}  ! invalid notSent
    # an owner that is null is refused, since every deletion would fail
    create todos {"title":"x","userId":null}  ! invalid notSent
    update todos/1 {"userId":null}            ! invalid notSent
    # an owner that does not exist is refused, since a deletion would remove the record
    each OWNER  999  "nobody"
    create todos {"title":"x","userId":{OWNER}}  < 404 {}  < 200 [{"id":1}]  ! invalid notSent
    update todos/1 {"userId":{OWNER}}            < 200 {"id":1}  < 404 {}  < 200 [{"id":1}]  ! invalid notSent
    # without a collection of owners, any owner will do
    prepare {"writes":"kept"}
    create todos {"title":"x","userId":999}
      > GET /users/999  > GET /users?_page=1&_limit=1  > POST /todos {"title":"x","userId":999}
      < 404 {}  < 404 {}  < 201 {"title":"x","userId":999,"id":1}
      = 1 {"title":"x","userId":999,"id":1}
    # after a deletion that fails with 500 the record is read: it is gone, or may be deleted yet
    prepare {"writes":"kept"}
    delete todos/2
      > DELETE /todos/2  > GET /todos/2
      < 500 TypeError: Cannot read properties of null (reading 'toString')  < 404 {}
      ! badResponse applied: ...(reading 'toString'), yet record 2 is gone; hint: ...
    delete todos/2
      > DELETE /todos/2  > GET /todos/2
      < 500 stack  < 200 {"id":2}
      ! badResponse unknown: server error (500): stack; hint: ...
    # a 500 to a replacement is not found only if a read confirms it
    prepare {"writes":"echoed"}
    update todos/3 -title
      > GET /todos/3  > PUT /todos/3 {"id":3}  > GET /todos/3
      < 200 {"id":3,"title":"x"}  < 500 TypeError: undefined  < 404 {}
      ! notFound rejected
    update todos/3 -title
      < 200 {"id":3,"title":"x"}  < 500 TypeError: undefined  < 200 {"id":3,"title":"x"}  ! badResponse unknown
    # a web page does not pass for a write
    prepare {"writes":"kept"}
    each CALL  create todos {"title":"x"}  update todos/2 {"title":"y"}  delete todos/2
    {CALL}  < 200 <html>  < Content-Type: text/html; charset=utf-8  ! badResponse unknown
    # a deletion may not be sent twice, for identifiers are used again
    prepare {"writes":"kept"}
    delete todos/30              > DELETE /todos/30  > effect: write  < 200 {}  = 30
    create todos {"title":"x"}  > POST /todos {"title":"x"}  < 201 {"title":"x","id":30}  = 30 {"title":"x","id":30}
    # the deletion of an owner names what went with it
    prepare {"writes":"kept"}
    delete users/1  < 200 {}  = 1; note: the server deletes records in todos, posts, albums that belonged to it
    # all records at once cannot be deleted
    delete all todos  ! unsupported notSent
    # an identifier that would name the collection cannot be sent
    each ID  ""  .  ..
    delete todos/{ID}  ! invalid notSent
    # a new record gets the identifier that is chosen, and one that is taken is refused
    prepare {"writes":"kept"}
    create todos {"id":500,"title":"x"}
      > GET /todos/500  > POST /todos {"id":500,"title":"x"}
      < 404 {}  < 201 {"id":500,"title":"x"}
      = 500 {"id":500,"title":"x"}
    create todos {"id":"500","title":"y"}  > GET /todos/500  < 200 {"id":500,"title":"x"}  ! alreadyExists notSent
    # an identifier that the server would take for none, or store under another, is refused
    each ID  0  null  true  []  "."  ".."  9007199254740994
    create todos {"id":{ID}}  ! invalid notSent
    create todos {"id":""}    ! invalid notSent
    # if nothing is kept, or identifiers are the server's, none can be chosen
    each OPTIONS  {"writes":"echoed"}  {"apiVersion":"1"}
    prepare {OPTIONS}
    create todos {"id":500}  ! invalid notSent
    # the first record made shows whether writes are kept, and is read back once
    create todos {"title":"x"}
      > POST /todos {"title":"x"}  > GET /todos/31  > Cache-Control: no-cache
      < 201 {"title":"x","id":31}  < 200 {"title":"x","id":31}
      = 31 {"title":"x","id":31}
    create todos {"title":"y"}  > POST /todos {"title":"y"}  < 201 {"title":"y","id":32}  = 32 {"title":"y","id":32}
    # a missing record counts as not kept only if the service responds otherwise
    create todos {"title":"x"}
      > POST /todos {"title":"x"}  > GET /todos/31  > GET /todos?_page=1&_limit=1
      < 201 {"title":"x","id":31}  < 404 {}  < 200 [{"id":1}]
      = 31 {"title":"x","id":31}; echoed
    create todos {"title":"y"}  > POST /todos {"title":"y"}  < 201 {"title":"y","id":31}  = 31 {"title":"y","id":31}; echoed
    # the first update shows it too
    update todos/3 {"title":"x"}
      > GET /todos/3  > PATCH /todos/3 {"title":"x"}  > GET /todos/3
      < 200 {"id":3,"title":"a"}  < 200 {"id":3,"title":"x"}  < 200 {"id":3,"title":"x"}
      = 3 {"id":3,"title":"x"}
    prepare
    update todos/3 {"title":"x"}
      > GET /todos/3  > PATCH /todos/3 {"title":"x"}  > GET /todos/3
      < 200 {"id":3,"title":"a"}  < 200 {"id":3,"title":"x"}  < 200 {"id":3,"title":"a"}
      = 3 {"id":3,"title":"x"}; echoed
    prepare
    update todos/3 -title
      > GET /todos/3  > PUT /todos/3 {"id":3}  > GET /todos/3
      < 200 {"id":3,"title":"a"}  < 200 {"id":3}  < 200 {"id":3,"title":"a"}
      = 3 {"id":3}; echoed; note: read and replaced: concurrent changes are lost
    # an update that changes nothing shows nothing
    update todos/3 {"title":"a"}  < 200 {"id":3,"title":"a"}  = 3 {"id":3,"title":"a"}; unknown...
    # the first deletion shows it too, if the service responds otherwise
    delete todos/3
      > GET /todos/3  > DELETE /todos/3  > GET /todos/3  > GET /todos?_page=1&_limit=1
      < 200 {"id":3}  < 200 {}  < 404 {}  < 200 [{"id":1}]
      = 3
    prepare
    delete todos/3  > GET /todos/3  > DELETE /todos/3  > GET /todos/3  < 200 {"id":3}  < 200 {}  < 200 {"id":3}  = 3; echoed
    # what the configuration says is not tried
    prepare {"writes":"echoed"}
    describe known todos  = ...; list get create update delete; total; clears; echoed; embeds user
    create todos {"title":"x"}  > POST /todos {"title":"x"}  < 201 {"title":"x","id":31}  = 31 {"title":"x","id":31}; echoed
    # a failure to read back takes nothing from the write
    create todos {"title":"x"}
      < 201 {"title":"x","id":31}  < 503 <html>  = 31 {"title":"x","id":31}; unknown; note: ...
    """#)
}
