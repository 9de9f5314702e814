import Testing

@Suite("Grails: changing and deleting")
struct GrailsChangingTests {
  @Test(arguments: rows) func changes(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
    # 23 PUT and PATCH change what is named
    each M  PUT  PATCH
    start
    GET /announcements/2  < 200  before := .body
    {M} /announcement/2 {"title":"B"}  < 200  json  .title "B"  .body = {before}  changed := body
      Location: {base}/announcement/show/2
    {M} /announcement/2 {}  < 200  = {changed}
    {M} /announcement/2 ""  < 200  = {changed}
    {M} /announcement/2 {"body":"x"}  < 200
    {M} /announcement/2 {"body":null}  < 200  = {"id":2,"title":"B"}
    GET /announcements/2  < 200  = {"id":2,"title":"B"}
    {M} /announcement/2 {"body":"x"}  < 200
    {M} /announcement/2 {"body":""}  < 200  = {"id":2,"title":"B"}
    GET /announcements/2  < 200  = {"id":2,"title":"B"}
    # 24 an update that does not validate changes nothing
    each M  PUT  PATCH
    each BODY  {"title":null,"body":"y"}  {"body":"y","title":"{x*256}"}  {"title":" "}
    GET /announcements/2  < 200  before := body
    {M} /announcement/2 {BODY}  < refused
    GET /announcements/2  < 200  = {before}
    # 25 an unreadable update is refused by 3.3.0 and swallowed by 3.3.9
    GET /announcements/2  < 200  before := body
    PUT /announcement/2 {"title":  < refused
    PUT /announcement/2 {"title":  Demo-Set: grails.release=3.3.9  < 200  = {before}
    GET /announcements/2  < 200  = {before}
    # 26 writing to what is not there is an empty 404
    {M} /announcement/{ID} {"title":"x"}  < gone  for M  PUT  PATCH  DELETE  for ID  999  abc
    # 27 DELETE is final and its id is not used again
    DELETE /announcement/{ID}  < 204  Content-Length:  Content-Type:  for ID  2  6
    GET /announcements/{ID}  < gone  for ID  2  6
    DELETE /announcement/{ID}  < gone  for ID  2  6
    POST /announcement {"title":"N"}  < 201  .id 7
    # 28 the plural path takes no writes
    GET /announcements  Accept-Version: 1.0  < 200  before := body
    {M} /announcements{PATH} {"title":"x"}  < noRoute  for M  POST  PUT  PATCH  DELETE  for PATH  ""  /2
    GET /announcements  Accept-Version: 1.0  < 200  = {before}
    # 29 a wrong verb is a routing 404, never 405
    PUT /announcement {}  < noRoute
    POST /announcement/2 {}  < noRoute
    DELETE /announcement {}  < noRoute
    PROPFIND /announcement  < noRoute
    GET /nowhere  < noRoute
    HEAD /announcements  < 404
    # 30 a POST may act as another verb
    POST /announcement/2  X-HTTP-Method-Override: DELETE  < 204
    GET /announcements/2  < gone
    POST /announcement/3?_method=patch {"title":"P"}  < 200
    GET /announcements/3  < 200  .title "P"
    # 32 the later of two updates wins, and none is a conflict
    PUT /announcement/2 {"title":"first"}  If-Match: "0"  < 200
    PUT /announcement/2 {"title":"second"}  If-Match: "0"  < 200
    GET /announcements/2  < 200  .title "second"
    """#)
}
