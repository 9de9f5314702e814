import Testing

@Suite("Grails: negotiation and format")
struct GrailsFormatTests {
  @Test(arguments: rows) func answers(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
    # 33 JSON is served for JSON and anything, and nothing for XML
    GET /announcements/2  Accept: {ACCEPT}  < 200  json
      for ACCEPT  application/json  */*  application/xml, */*;q=0.1  ""
    GET /announcements  Accept: application/xml  < 406  Content-Length: 0  =
    GET /announcements/2?format=xml  < 406  Content-Length: 0  =
    GET /announcements/2.xml  < 406  Content-Length: 0  =
    GET /announcements  Accept: text/xml  User-Agent: Mozilla/5.0 Gecko/1  < 200  json
    GET /announcements  Accept: text/html  < 200  Content-Type: text/html;charset=UTF-8  . #6  .* keys id title
    # 34 the text is compact, in raw UTF-8 and with plain slashes
    POST /announcement {"title":"食堂 👩‍💻 \"a\\b\" \u00e9/\u0001\t!","body":"<p>x</p>"}  < 201  text := body
      = {"id":7,"body":"<p>x</p>","title":"食堂 👩‍💻 \"a\\b\" é/\u0001\t!"}
    GET /announcements/7  < 200  = {text}
    GET /announcements?offset=6  < 200  = [{"id":7,"title":"食堂 👩‍💻 \"a\\b\" é/\u0001\t!"}]
    # 36 the root tells what runs
    GET {PATH}  < 200  json  .grailsversion "3.3.0"  .message string  .environment string  .controllers list
      for PATH  ""  /
    # 37 a restart in memory restores the seeds and the ids
    start
    GET /announcements  Accept-Version: 1.0  < 200  before := body
    DELETE /announcement/2  < 204
    POST /announcement {"title":"N"}  < 201
    start
    GET /announcements  Accept-Version: 1.0  < 200  = {before}
    POST /announcement {"title":"N"}  < 201  .id 7
    """#)
}
