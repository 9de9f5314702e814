import DemoServerSupport
import TestSupport
import Testing

@Suite("Grails: paging and sorting")
struct GrailsPagingTests {
  @Test("13 max caps at 100 and treats 0, empty and text as 10")
  func max() async throws {
    let grails = try await GrailsClient.start("--seed", "250")
    let expected = [
      "": 10, "?max=5": 5, "?max=0": 10, "?max=": 10, "?max=abc": 10, "?max=100": 100, "?max=101": 100, "?max=500": 100,
    ]
    for (query, count) in expected {
      #expect(try await grails.ids("/announcements\(query)").count == count, "\(query)")
    }
  }

  @Test("14 a negative max gives every row")
  func negativeMax() async throws {
    let grails = try await GrailsClient.start("--seed", "250")
    #expect(try await grails.ids("/announcements?max=-1") == Array(1...250))
  }

  @Test("15 offset")
  func offset() async throws {
    let grails = try await GrailsClient.start("--seed", "25")
    #expect(try await grails.ids("/announcements?max=10&offset=20") == [21, 22, 23, 24, 25])
    #expect(try await grails.get("/announcements?offset=25").text == "[]")
    #expect(try await grails.get("/announcements?offset=1000").text == "[]")
    #expect(try await grails.ids("/announcements?max=3&offset=-3") == [1, 2, 3])
    #expect(try await grails.ids("/announcements?max=3&offset=") == [1, 2, 3])
    try await expect500("/announcements?offset=abc", grails)
  }

  @Test("16 sort and order")
  func sort() async throws {
    let grails = try await GrailsClient.start("--seed", "0")
    for title in ["beta", "Alpha", "alpine", "Écho", "Zulu"] {
      _ = try await grails.send("POST", "/announcement", #"{"title":"\#(title)"}"#)
    }
    let ascending = ["Alpha", "alpine", "beta", "Zulu", "Écho"]
    #expect(try await grails.titles("/announcements?sort=title") == ascending)
    #expect(try await grails.titles("/announcements?sort=title&order=x") == ascending)
    #expect(try await grails.titles("/announcements?sort=title&order=desc") == ascending.reversed())
    #expect(try await grails.titles("/announcements?sort=title&order=DESC") == ascending.reversed())
    #expect(try await grails.ids("/announcements?sort=id&order=desc") == [5, 4, 3, 2, 1])
    #expect(try await grails.ids("/announcements?order=desc") == [1, 2, 3, 4, 5])
    #expect(try await grails.ids("/announcements?sort=no.pe&order=desc") == [1, 2, 3, 4, 5])
    try await expect500("/announcements?sort=nope", grails)
    try await expect500("/announcements?sort=", grails)
  }

  @Test("16 ids sort by number")
  func sortByNumber() async throws {
    let grails = try await GrailsClient.start("--seed", "25")
    #expect(try await grails.ids("/announcements?sort=id&order=desc&max=-1") == Array((1...25).reversed()))
  }

  @Test("17 without sort the order is that of insertion, or a shuffled one that stays")
  func shuffled() async throws {
    let grails = try await GrailsClient.start("--seed", "25")
    #expect(try await grails.ids("/announcements?max=-1") == Array(1...25))
    let shuffle = ("Demo-Set", "grails.order=shuffled")
    let first = try await grails.ids("/announcements?max=-1", shuffle)
    #expect(first != Array(1...25) && first.sorted() == Array(1...25))
    #expect(try await grails.ids("/announcements?max=-1", shuffle) == first)
    #expect(try await grails.ids("/announcements?max=10&offset=10", shuffle) == Array(first[10..<20]))
    #expect(try await grails.ids("/announcements?max=-1&sort=id", shuffle) == Array(1...25))
  }

  private func expect500(_ path: String, _ grails: GrailsClient) async throws {
    let answer = try await grails.get(path)
    #expect(answer.status == 500)
    #expect(answer.header("Content-Type") == GrailsClient.jsonType)
    #expect(answer.text == GrailsClient.error500)
  }
}
