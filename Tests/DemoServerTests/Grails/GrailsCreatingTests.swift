import Testing

@Suite("Grails: creating")
struct GrailsCreatingTests {
  @Test(arguments: rows) func creates(_ row: Row) async throws { try await row.check() }

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
    POST /announcement {"title":"{x*255}"}  < 201
    POST /announcement {"title":"␠␠{x*255}\n"}  < 201
    POST /announcement {"title":"{x*255}y"}  < refused  = ...[{x*255}y]...
    POST /announcement {"title":"{😀*128}"}  < refused
    POST /announcement {"title":"{😀*127}"}  < 201
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
    """#)
}
