import DemoServerSupport
import TestSupport
import Testing

@Suite("Grails: reading")
struct GrailsReadingTests {
  @Test(arguments: rows) func reads(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
    # 01 version 1.0 lists whole announcements
    GET /announcements  Accept-Version: 1.0  < 200  json  .*.id [1,2,3,4,5,6]  .* keys id title body
      .*.title /.{31,51}/  .*.body /(?s).{700,1800}/  = ...“...  = ...&nbsp;...  = ...&amp;...  = ...src=\"//...
      = ...href=\"intranet.example.org...
    # 02 and 03 version 2.0 and no version list ids and titles alone
    GET /announcements  Accept-Version: {V}  < 200  json  . #6  .* keys id title  for V  2.0  ""
    # 04 an unknown version is a routing 404
    GET /announcements  Accept-Version: {V}  < noRoute  for V  3.0  1  v1  1.0.0
    # 04 the version may stand in Accept, where the header is missing
    GET /announcements  Accept: application/json;v=1.0  < 200  .0.body string
    GET /announcements  Accept: application/json;v=1.0  Accept-Version: 3.0  < noRoute
    # 05 one trailing slash changes nothing
    GET /announcements  Accept-Version: 1.0  < 200  plain := body
    GET /announcements/  Accept-Version: 1.0  < 200  = {plain}
    GET /announcements//  Accept-Version: 1.0  < noRoute
    # 06 and 07 one announcement is the same in all versions, with and without .json
    GET /announcements/2  Accept-Version: 1.0  < 200  json  . keys id title body  two := body
    GET /announcements.json  < noRoute
    GET {PATH}  Accept-Version: {V}  < 200  = {two}
      for PATH  /announcements/2  /announcements/2.json  /announcements/2/  for V  1.0  2.0  ""
    # 08 a record that is not there is an empty 404
    GET /announcements/{ID}  Accept-Version: {V}  < gone  for ID  999  abc  -1  for V  1.0  2.0  ""
    # 09 a known record with an unknown version is a routing 404
    GET /announcements/2  Accept-Version: 9.9  < noRoute
    # 10 the singular list is of one version, whatever is asked for
    each FIXED BODIES  v1 6  v2 0
    start --set grails.singular={FIXED}
    GET /announcements/2  < 200  two := body
    GET /announcement/2  Accept-Version: 9.9  < 200  = {two}
    GET /announcement  Accept-Version: {V}  < 200  . #6  .*.body #{BODIES}  for V  1.0  2.0  9.9  ""
    # 10 left to chance the singular list stays as it was at start
    GET /announcement  < 200  first := body
    GET /announcement  < 200  = {first}  for TIME  1  2  3  4  5
    # 11 a null body has no key
    start --set grails.nullbody=yes
    GET /announcements  Accept-Version: 1.0  < 200  . #6  .*.body #5  .5.body none
    GET /announcements/6  < 200  . keys id title
    # 13 max caps at 100 and treats 0, empty and text as 10
    start --seed 250
    GET /announcements{Q}  < 200  .*.id #{COUNT}
      for Q COUNT  "" 10  ?max=5 5  ?max=0 10  ?max= 10  ?max=abc 10  ?max=100 100  ?max=101 100  ?max=500 100
    # 14 a negative max gives every row
    start --seed 250
    GET /announcements?max=-1  < 200  .*.id 1..250
    # 15 offset
    start --seed 25
    GET /announcements?max=10&offset=20  < 200  .*.id [21,22,23,24,25]
    GET /announcements?offset={N}  < 200  = []  for N  25  1000
    GET /announcements?max=3&offset={N}  < 200  .*.id [1,2,3]  for N  -3  ""
    GET /announcements?offset=abc  < failed
    # 16 sort and order
    start --seed 0
    POST /announcement {"title":"{TITLE}"}  < 201  for TITLE  beta  Alpha  alpine  Écho  Zulu
    GET /announcements?{Q}  < 200  .*.title ["Alpha","alpine","beta","Zulu","Écho"]
      for Q  sort=title  sort=title&order=x
    GET /announcements?sort=title&order={ORDER}  < 200  .*.title ["Écho","Zulu","beta","alpine","Alpha"]
      for ORDER  desc  DESC
    GET /announcements?{Q}  < 200  .*.id {IDS}
      for Q IDS  sort=id&order=desc [5,4,3,2,1]  order=desc [1,2,3,4,5]  sort=no.pe&order=desc [1,2,3,4,5]
    GET /announcements?sort={FIELD}  < failed  for FIELD  nope  ""
    # 16 ids sort by number
    start --seed 25
    GET /announcements?sort=id&order=desc&max=-1  < 200  .*.id 25..1
    # 17 without sort the order is that of insertion
    start --seed 25
    GET /announcements?max=-1  < 200  .*.id 1..25
    # 33 JSON is served for JSON and anything, and nothing for XML
    GET /announcements/2  Accept: {ACCEPT}  < 200  json
      for ACCEPT  application/json  */*  application/xml, */*;q=0.1  ""
    GET /announcements  Accept: application/xml  < 406  Content-Length: 0  =
    GET /announcements/2{PART}  < 406  Content-Length: 0  =  for PART  ?format=xml  .xml
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

  @Test("17 without sort the order is a shuffled one that stays, where the switch says so")
  func shuffled() async throws {
    let demo = try await Demo.start(["--memory", "--seed", "25"])
    func ids(_ query: String) async throws -> [Int] {
      let answer = try await demo.send(
        "GET", "/grails/announcements?\(query)", headers: [("Demo-Set", "grails.order=shuffled")])
      #expect(answer.status == 200)
      return try answer.rows().compactMap { $0["id"] as? Int }
    }
    let first = try await ids("max=-1")
    #expect(first != Array(1...25) && first.sorted() == Array(1...25))
    #expect(try await ids("max=-1") == first)
    #expect(try await ids("max=10&offset=10") == Array(first[10..<20]))
    #expect(try await ids("max=-1&sort=id") == Array(1...25))
  }
}
