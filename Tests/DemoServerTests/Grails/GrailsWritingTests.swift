import Testing

@Suite("Grails: writing")
struct GrailsWritingTests {
  @Test(arguments: rows) func writes(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
    # 18 POST trims, answers with the record and a Location that leads nowhere
    POST /announcement {"title":"␠␠A␠␠","body":"\n<p>x</p>\n"}  < 201  json  = {"id":7,"body":"<p>x</p>","title":"A"}
      Location: {base}/announcement/show/7
    GET /announcement/show/7  < noRoute
    GET /announcements/7  < 200  = {"id":7,"body":"<p>x</p>","title":"A"}
    # 19 POST without a usable title is refused
    each BODY  {"body":"x"}  {"title":null}  {"title":""}  {"title":"␠␠\t "}  {}  ["title"]  ""  {"title":
    POST /announcement {BODY}  < refused
    GET /announcements?max=-1  < 200  .*.id #6
    # 20 a title holds 255 UTF-16 units after trimming
    POST /announcement {"title":"{TITLE}"}  < 201  for TITLE  {x*255}  ␠␠{x*255}\n  {😀*127}
    POST /announcement {"title":"{x*255}y"}  < refused  = ...[{x*255}y]...
    POST /announcement {"title":"{😀*128}"}  < refused
    # 21 ids, versions and unknown keys in the body are ignored, numbers become text
    POST /announcement {"id":99,"version":5,"x":[1],"title":42}  < 201  = {"id":7,"title":"42"}
    # 22 no body, a null body and a blank body are all null
    each PART  ""  ,"body":null  ,"body":"␠␠"
    start
    POST /announcement {"title":"T"{PART}}  < 201  = {"id":7,"title":"T"}
    # 31 forms and missing types are read, other types are not
    POST /announcement title=T+%C3%A9&body=B  Content-Type: application/x-www-form-urlencoded  < 201
      = {"id":7,"body":"B","title":"T é"}
    POST /announcement {"title":"A"}  Content-Type: text/plain  < refused
    POST /announcement {"title":"A"}  Content-Type:  < 201
    POST /announcement {"title":"A"}  Content-Type: application/json; charset=utf-8  < 201
    # 35 messages follow Accept-Language
    POST /announcement {}  Accept-Language: en  < refused  en := .message
    POST /announcement {}  Accept-Language: de  < refused  .message != {en}  de := .message
    POST /announcement {}  Accept-Language: es-ES,es;q=0.9  < refused  .message != {en}  .message != {de}
    # A switch gives the shapes of a 422 that other applications have
    POST /announcement {}  Demo-Set: grails.errors=several  < 422  .total 2  ._embedded.errors #2
    POST /announcement {}  Demo-Set: grails.errors=classic  < 422
      .errors.0 keys object field rejected-value message
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
    {M} {PATH} {}  < noRoute  for M PATH  PUT /announcement  POST /announcement/2  DELETE /announcement
    PROPFIND /announcement  < noRoute
    GET /nowhere  < noRoute
    HEAD /announcements  < 404
    # 30 a POST may act as another verb
    POST /announcement/2  X-HTTP-Method-Override: DELETE  < 204
    GET /announcements/2  < gone
    POST /announcement/3?_method=patch {"title":"P"}  < 200
    GET /announcements/3  < 200  .title "P"
    # 32 the later of two updates wins, and none is a conflict
    PUT /announcement/2 {"title":"{TITLE}"}  If-Match: "0"  < 200  for TITLE  first  second
    GET /announcements/2  < 200  .title "second"
    """#)
}
