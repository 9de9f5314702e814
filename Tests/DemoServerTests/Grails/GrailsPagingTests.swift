import DemoServerSupport
import Testing

@Suite("Grails: paging and sorting")
struct GrailsPagingTests {
  @Test(arguments: rows) func pages(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
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
    GET /announcements?offset=25  < 200  = []
    GET /announcements?offset=1000  < 200  = []
    GET /announcements?max=3&offset=-3  < 200  .*.id [1,2,3]
    GET /announcements?max=3&offset=  < 200  .*.id [1,2,3]
    GET /announcements?offset=abc  < failed
    # 16 sort and order
    start --seed 0
    POST /announcement {"title":"{TITLE}"}  < 201  for TITLE  beta  Alpha  alpine  Écho  Zulu
    GET /announcements?sort=title  < 200  .*.title ["Alpha","alpine","beta","Zulu","Écho"]
    GET /announcements?sort=title&order=x  < 200  .*.title ["Alpha","alpine","beta","Zulu","Écho"]
    GET /announcements?sort=title&order=desc  < 200  .*.title ["Écho","Zulu","beta","alpine","Alpha"]
    GET /announcements?sort=title&order=DESC  < 200  .*.title ["Écho","Zulu","beta","alpine","Alpha"]
    GET /announcements?sort=id&order=desc  < 200  .*.id [5,4,3,2,1]
    GET /announcements?order=desc  < 200  .*.id [1,2,3,4,5]
    GET /announcements?sort=no.pe&order=desc  < 200  .*.id [1,2,3,4,5]
    GET /announcements?sort=nope  < failed
    GET /announcements?sort=  < failed
    # 16 ids sort by number
    start --seed 25
    GET /announcements?sort=id&order=desc&max=-1  < 200  .*.id 25..1
    # 17 without sort the order is that of insertion
    start --seed 25
    GET /announcements?max=-1  < 200  .*.id 1..25
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
