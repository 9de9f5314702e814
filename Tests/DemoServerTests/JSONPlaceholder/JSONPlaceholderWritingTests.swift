import DemoServerSupport
import TestSupport
import Testing

@Suite("JSONPlaceholder: writing")
struct JSONPlaceholderWritingTests {
  @Test(arguments: rows) func writes(_ row: Row) async throws { try await row.check() }

  static let rows = Table.jsonPlaceholder.rows(
    #"""
    # 13 a kept record can be read afterwards, a faked one cannot
    start --set jsonplaceholder.profile=json-server
    POST /todos {"title":"食","completed":0}  < 201  = {⏎␠␠"title": "食",⏎␠␠"completed": 0,⏎␠␠"id": 201⏎}
      Location: {base}/todos/201  Access-Control-Expose-Headers: Location
    GET /todos/201  < 200  = {⏎␠␠"title": "食",⏎␠␠"completed": 0,⏎␠␠"id": 201⏎}
    POST /todos {}  < 201  .id 202
    POST /users/1/todos?x=1 {"title":"n","userId":5}  < 201  .userId "1"  Location: .../users/1/todos?x=1/203
    start
    POST /todos {"title":"x"}  < 201  .id 201  for TIME  1  2
    GET /todos/201  < nothing
    # 13 a new id is one more than the highest there is, of whatever kind
    start --set jsonplaceholder.profile=json-server --import {"numbers":[{"id":7},{"id":12},{"id":9}],
      "texts":[{"id":"a"},{"id":"12"}],"parts":[{"id":1.5},{"id":1}]}
    POST /numbers {}  < 201  .id 13
    DELETE /numbers/{ID}  < 200  for ID  13  12
    POST /numbers {}  < 201  .id 10
    POST /texts {}  < 201  .id string  .id /.{7}/
    POST /parts {}  < 201  .id 2.5
    POST /numbers {"id":"b"}  < 201
    POST /numbers {}  < 201  .id 11
    // Between records of another collection, and behind some that are gone, a page holds the same places.
    GET /numbers?{Q}  < 200  .*.id [10,"b"]  for Q  _start=2&_end=4  _page=2&_limit=2
    GET /numbers?_limit=1  < 200  X-Total-Count: 5
    # 14 an id of the client's is kept if it is free
    start --set jsonplaceholder.profile=json-server
    POST /todos {"id":{ID}}  < failure  for ID  5  "5"
    POST /todos {"id":300,"title":"x"}  < 201  = {⏎␠␠"id": 300,...
    POST /todos {"id"{ID}}  < 201  .id {NEW}  for ID NEW  :null 301  :"" 302  :0 303  :false 304
    POST /todos {"id":"a b"}  < 201
    GET /todos/a%20b  < 200  .id "a b"
    start
    POST /todos {"id":{ID}}  < 201  .id 201  for ID  5  300  "x"
    # 14 where the highest id is text, the next one is text too; one beyond all bounds stops nothing
    start --set jsonplaceholder.profile=json-server
      --import {"a":[{"id":"x"},{"id":7}],"b":[{"id":7},{"id":"x"}],"c":[]}
    POST /a {}  < 201  .id string  .id /.{7}/
    POST /b {}  < 201  .id 8
    POST /c {}  < 201  .id 1
    POST /c {"id":1e300}  < 201
    POST /c {"title":"x"}  < 201
    GET /c/1  < 200
    # 15 a body of another type is passed over, a form is texts
    each PROFILE  json-server  jsonplaceholder
    start --set jsonplaceholder.profile={PROFILE}
    PUT /todos/3 {"title":"x"}  Content-Type: text/plain  < 200  = {⏎␠␠"id": 3⏎}
    POST /todos completed=true&a=1&a=2&t=x+%2B  Content-Type: application/x-www-form-urlencoded  < 201
      .completed "true"  .a ["1","2"]  .t "x +"
    POST /todos {"title":"x"}  Content-Type: {TYPE}  < 201  . keys id
      for TYPE  text/plain  application/vnd.api+json  application/merge-patch+json  ""
    # 16 a body that cannot be read
    each PROFILE STATUS  json-server 400  jsonplaceholder 500
    start --set jsonplaceholder.profile={PROFILE}
    {M} {PATH} {BODY}  < {STATUS}  page
      for BODY  {"title":  "x"  5  null  ␠␠  {} x  for M PATH  POST /todos  PUT /todos/3  PATCH /todos/3  POST /nope
    GET /todos?_limit=1  < 200  X-Total-Count: 200
    # 16 numbers are read as JavaScript does, lists are taken for what they are
    POST /todos {"a":9007199254740993,"b":1.50,"c":123456789012345678901,"d":0.0000012}  < 201
      = ..."a": 9007199254740992,..."b": 1.5,..."c": 123456789012345680000,..."d": 0.0000012,...
    POST /todos {"e":1e-7,"f":1e21,"g":-9223372036854775808}  < 201
      = ..."e": 1e-7,..."f": 1e+21,..."g": -9223372036854776000,...
    POST /todos [{"a":1},2]  < 201  . keys 0 1 id
    start --set jsonplaceholder.profile=json-server
    POST /todos [{"a":1},2]  < 201  Location: .../todos/201  . list  . #2
    GET /todos/201  < 200  . list  . #2
    POST /todos {}  < 201  .id 202
    PATCH /todos/3 [{"a":1},2]  < 200  .1 2
    # 17 PUT replaces
    each PROFILE  json-server  jsonplaceholder
    start --set jsonplaceholder.profile={PROFILE}
    PUT /todos/6 {"title":"x","id":6666}  < 200  . keys id title  .id 6
    # 17 PUT to what is not there
    start --set jsonplaceholder.profile=json-server
    PUT /todos/999 {}  < nothing
    PUT /todos/6 {"title":"x"}  < 200
    GET /todos?_start=5&_limit=1  < 200  .*.id [6]
    start
    PUT /todos/999 {}  < failure
    # 18 PATCH merges, and null stays null
    start --set jsonplaceholder.profile=json-server
    PATCH /todos/6 {"title":null,"extra":{"a":[1]},"id":6666}  < 200  . keys completed extra id title userId  .id 6
    GET /todos/6  < 200  = ..."title": null...
    PATCH /todos/999 {"title":"x"}  < nothing
    POST /todos/7 {"title":"o"}  X-HTTP-Method-Override: patch  < 200
    GET /todos/7  < 200  .title "o"
    start
    PATCH /todos/6 {"title":null,"extra":{"a":[1]},"id":6666}  < 200  . keys completed extra id title userId  .id 6666
    GET /todos/6  < 200  .title string
    PATCH /todos/999 {"title":"x"}  < 200  = {⏎␠␠"title": "x"⏎}
    # 19 DELETE takes away, or says so
    start --set jsonplaceholder.profile=json-server
    DELETE /todos/7  < 200  = {}
    {M} /todos/7  < nothing  for M  DELETE  GET
    start
    DELETE /todos/7  < 200  = {}
    DELETE /todos/999  < 200
    GET /todos/7  < 200
    # 21 a deletion takes along whatever refers to nothing
    start --set jsonplaceholder.profile=json-server --import {"users":[{"id":1},{"id":2}],"people":[],"empties":[],
      "todos":[{"id":1,"userId":1},{"id":2,"userId":2},{"id":3,"userId":99},{"id":4,"userId":"2"},
      {"id":5,"listId":null},{"id":6}]}
    DELETE /users/1  < 200
    GET /todos  < 200  .*.id [2,4,5,6]
    POST /todos {"id":7,"personId":3}  < 201
    DELETE /todos/999  < nothing
    GET /todos  < 200  .*.id [2,4,5,6]
    PATCH /todos/4 {"userId":null}  < 200
    DELETE /todos/2  < failure
    GET /todos  < 200  .*.id [4,5,6]
    DELETE /todos/2  < failure
    # 6 an identifier that counts for nothing keeps its place in the record
    start --set jsonplaceholder.profile=json-server --import {"todos":[{"id":1}]}
    POST /todos {"id":null,"title":"x"}  < 201  = {⏎␠␠"id": 2,⏎␠␠"title": "x"⏎}
    PUT /todos/2 {"a":1,"id":7,"b":2}  < 200  = {⏎␠␠"a": 1,⏎␠␠"id": 2,⏎␠␠"b": 2⏎}
    # 6 the address of a new record is encoded
    start --set jsonplaceholder.profile=json-server --import {"todos":[]}
    POST /todos?a=%20 {"id":"é <b>%25"}  < 201  Location: .../todos?a=%20/%C3%A9%20%3Cb%3E%25
    # 3 the first of several methods in a header is taken
    start --set jsonplaceholder.profile=json-server
    POST /todos/2 {"title":"o"}  X-HTTP-Method-Override: PATCH, PUT  < 200
    GET /todos/2  < 200  . keys userId id title completed
    # 6 and 16 a charset that nobody knows is refused also where nothing follows
    start --set jsonplaceholder.profile=json-server
    {M} {PATH} {}  Content-Type: application/json; charset=latin1  < 415  page  for M PATH  POST /todos  PUT /todos/2
    PUT /todos/2 {}  Content-Type: application/json; charset=utf-16  < 400  page
    DELETE /todos/2 ""  Content-Type: application/json; charset=latin1  < 415  page
    GET /todos?_limit=1  < 200  X-Total-Count: 200
    GET /todos/2  < 200
    # 4 a list of an empty collection forgets every parameter
    start --set jsonplaceholder.profile=json-server --import {"todos":[]}
    GET /todos?callback=f&_like=[  < 200  json  = []
    """#)

  @Test("20 the highest id is given again, and concurrent creations get ids of their own")
  func concurrent() async throws {
    let demo = try await Demo.start(["--memory", "--set", "jsonplaceholder.profile=json-server"])
    @Sendable func made() async throws -> Int {
      let type = ("Content-Type", "application/json")
      let answer = try await demo.send("POST", "/jsonplaceholder/todos", headers: [type], body: "{}")
      return try answer.object()["id"] as? Int ?? 0
    }
    #expect(try await demo.send("DELETE", "/jsonplaceholder/todos/200").status == 200)
    #expect(try await made() == 200)
    let ids = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await made() } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(ids == Set(201...220))
  }
}
