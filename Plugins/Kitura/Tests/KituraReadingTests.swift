import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct KituraReadingTests {
  @Test(arguments: rows) func reads(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("kitura").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # each release lists and gets, whatever type it names
    each TYPE  application/json  ""
    list todos
      > GET /  > Accept: application/json  > effect: read
      < 200 [{"id":0,"title":"a"},{"id":1},{"id":2}]  < Content-Type: {TYPE}
      = 0 1 2; total 3
    get todos/1
      > GET /1
      < 200 {"id":1,"title":"b","completed":false,"url":"http://localhost:8080\/1"}  < Content-Type: {TYPE}
      = 1 {"id":1,"title":"b","completed":false,"url":"http://localhost:8080/1"}
    # an identifier is taken from the address of a record that has none, and the address is not followed
    records todos
      > GET /
      < 200 [{"title":"a","url":"http://elsewhere.invalid:8080\/12"},{"title":"b","url":"x/y"}]
      = 12 {"id":12,"title":"a","url":"http://elsewhere.invalid:8080/12"} + - {"title":"b","url":"x/y"}; total 2
    get todos/12
      > GET /12
      < 200 {"title":"a","url":"http://elsewhere.invalid:8080\/12"}
      = 12 {"id":12,"title":"a","url":"http://elsewhere.invalid:8080/12"}
    # an identifier that is not in its plain spelling is refused
    each ID  ""  %2F  +1  01  -0  1.5  abc  1%2F2  %2F1  99999999999999999999  ..  %2531
    get todos/{ID}                   ! invalid notSent
    delete todos/{ID}                ! invalid notSent
    update todos/{ID} {"title":"T"}  ! invalid notSent
    update todos/{ID} -title         ! invalid notSent
    # identifiers are those of the wire, counted from 0, and nothing is remembered of them
    create todos {"title":"before"}  < 201 {"id":0,"title":"before"}  = 0 {"id":0,"title":"before"}
    get todos/0  > GET /0  < 404  ! notFound rejected: not found (404)
    create todos {"title":"after"}  < 201 {"id":0,"title":"after"}  = 0 {"id":0,"title":"after"}
    get todos/0  > GET /0  < 200 {"id":0,"title":"after"}  = 0 {"id":0,"title":"after"}
    # fields that were left out stay absent, a missing completed too
    records todos  < 200 [{"id":0},{"id":1,"completed":false}]  = 0 {"id":0} + 1 {"id":1,"completed":false}; total 2
    # the order of the fields on the wire changes, and is that of the record
    each BODY  {"url":"u","id":3,"user":"u","title":"t"}  {"title":"t","user":"u","url":"u","id":3}
    get todos/3    < 200 {BODY}    = 3 {BODY}
    records todos  < 200 [{BODY}]  = 3 {BODY}; total 1
    # control characters come through unchanged
    get todos/0  < 200 {"id":0,"title":"a\u0000\u001B[2J\n\u009Bb"}  = 0 {"id":0,"title":"a\u0000\u001b[2J\n\u009bb"}
    # records with one identifier are all shown
    query todos  < 200 [{"id":0,"title":"a"},{"id":0,"title":"b"},{"id":1}]  = 0 0 1; total 3
    # a cursor of another backend is refused
    each MARK  abc  0  -3  +10  010  ""
    list todos --at "{MARK}"  ! invalid notSent
    # an empty list is a list
    list todos  < 200 []  = none; total 0
    # a query is left to the console
    plan todos --size 10  = GET /
    each OP  =  !=  <  <=  >  >=  ~
    plan todos title{OP}a --sort id --search a --fields title --size 5 --skip 2
      = GET /; not; sort not; search not; fields not; skip not
    plan todos in(title,a,b) null(title) missing(title) not(null(title)) and(null(title)) or(null(title))
      = GET /; not not not not not not
    # records with the same order, or none, keep the order of the list
    query todos --sort order  > GET /  = 1 4 0 2 3; total 5
      < 200 [{"id":0,"order":5},{"id":1,"order":-1},{"id":2,"order":5},{"id":3},{"id":4,"order":-1}]
    # a query with parts that the server ignores never reaches it
    each PART  null(title)  --sort title  --search a  --skip 1  --native a
    list todos {PART}  ! unsupported notSent
    # there is one resource
    each PATH  todo  todos/1/todos
    list {PATH}        ! notFound notSent
    delete all {PATH}  ! notFound notSent
    # a known description asks nothing and names what can be done
    describe known  = Kitura: todos
    describe known todos
      = adapter: id integer read-only, title text, user text, order integer, completed boolean, url text read-only
      ; list get create update delete deleteAll; total; clears
    # a server that requires whole todos is described so, and no field can be cleared
    prepare {"create":"complete"}
    describe known todos
      = adapter: ...title text required, user text required, order integer required, ...
      ; list get create update delete deleteAll; total
    create todos {"title":"a","user":"b","order":1}  < 201 {"id":0}  = 0...
    # the health check is asked at its own address, and without one the list is, never by HEAD
    describe live  > GET /health  < 200 {"status":"UP"}  = Kitura: todos
    prepare {"healthPath":"up/now"}
    describe live  > GET /up/now  > GET /  < 404  < 200 []  = Kitura: todos
    """#)
}
