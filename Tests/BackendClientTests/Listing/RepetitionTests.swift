import BackendClient
import BackendKit
import Testing

@Suite("Repeated marks and records") struct RepetitionTests {
  typealias Page = PagesBackend.Page

  private func client(_ pages: [String: Page]) -> Client {
    Client(name: "crooked", backend: PagesBackend(pages: pages))
  }

  @Test(
    "a mark that comes twice is an error that names the backend",
    arguments: [
      ["": Page(ids: ["a"], next: "x"), "x": Page(ids: ["b"], next: "x")],
      ["": Page(ids: ["a"], next: "x"), "x": Page(ids: ["b"], next: "y"), "y": Page(ids: ["c"], next: "x")],
      ["": Page(ids: [], next: "x"), "x": Page(ids: [], next: "x")],
    ])
  func marks(_ pages: [String: Page]) async throws {
    let client = client(pages)
    let error = await failure { () async throws(BackendError) in
      _ = try await client.gather(ListRequest(ListQuery(.notes)))
    }
    #expect(error?.code == .badResponse)
    #expect(error?.backend == "crooked")
    #expect(error?.message.contains("crooked") == true)
    #expect(error?.operation == "list")
    #expect(error?.resource == "notes")
  }

  @Test("a page that names itself as the next is an error also to one who turns pages")
  func turning() async throws {
    let client = client(["": Page(ids: ["a"], next: "x"), "x": Page(ids: ["b"], next: "x")])
    let error = await failure { () async throws(BackendError) in
      _ = try await client.walk(ListQuery(.notes), limits: [1])
    }
    #expect(error?.code == .badResponse)
  }

  @Test("a server that gives the same page whatever is asked for ends with an error, not never")
  func deaf() async throws {
    let ids = (0..<100).map { "r\($0)" }
    func pages(_ count: Int) -> [String: Page] {
      Dictionary(
        uniqueKeysWithValues: (0..<count).map { ($0 == 0 ? "" : "\($0)", Page(ids: ids, next: "\($0 + 1)")) })
    }
    let deaf = client(pages(1_000))
    let error = await failure { () async throws(BackendError) in
      _ = try await deaf.gather(ListRequest(ListQuery(.notes)))
    }
    #expect(error?.code == .badResponse && error?.message.contains("crooked") == true)
    let single = client(
      Dictionary(
        uniqueKeysWithValues: (0..<1_000).map { ($0 == 0 ? "" : "\($0)", Page(ids: ["a"], next: "\($0 + 1)")) }))
    let endless = await failure { () async throws(BackendError) in
      _ = try await single.gather(ListRequest(ListQuery(.notes)))
    }
    #expect(endless?.code == .badResponse)
  }

  @Test("records that moved to a later page are passed over and counted")
  func moved() async throws {
    let client = client([
      "": Page(ids: ["a", "b"], next: "x"), "x": Page(ids: ["b", "c"], next: "y"), "y": Page(ids: ["c"], next: "z"),
      "z": Page(ids: ["d"], next: "end"), "end": Page(ids: ["c", "d"]),
    ])
    let got = try await client.gather(ListRequest(ListQuery(.notes)))
    #expect(got.ids == ["a", "b", "c", "d"])
    #expect(got.summary.repeated == 4)
  }

  @Test("counting is what failed where the list for it did")
  func counting() async throws {
    let client = client(["": Page(ids: ["a"], next: "x"), "x": Page(ids: ["b"], next: "x")])
    let error = await failure { () async throws(BackendError) in
      _ = try await client.count(ListQuery(.notes), maximumScan: 100)
    }
    #expect(error?.operation == "count" && error?.backend == "crooked" && error?.resource == "notes")
  }

  @Test("a record that comes again on a later page is shown once")
  func records() async throws {
    let client = client(["": Page(ids: ["a", "b"], next: "x"), "x": Page(ids: ["b", "c", "a"], next: nil)])
    let got = try await client.gather(ListRequest(ListQuery(.notes)))
    #expect(got.ids == ["a", "b", "c"])
    #expect(got.summary.total == 3)
    let part = try await client.gather(ListRequest(ListQuery(.notes), limit: 3))
    #expect(part.summary.next == nil)
  }

  @Test("two records of one identifier on one page are both shown", arguments: [nil, 1, 2])
  func sameIdentifier(_ limit: Int?) async throws {
    let client = client(["": Page(ids: ["a", "a", "b"], next: "x"), "x": Page(ids: ["c", "c"], next: nil)])
    let pages = try await client.walk(ListQuery(.notes), limits: [limit ?? 100])
    #expect(pages.flatMap(\.ids) == ["a", "a", "b", "c", "c"])
  }

  @Test("empty pages in the middle end nothing")
  func emptyPages() async throws {
    let client = client([
      "": Page(ids: [], next: "x"), "x": Page(ids: ["a"], next: "y"), "y": Page(ids: [], next: "z"),
      "z": Page(ids: ["b"], next: nil),
    ])
    #expect(try await client.gather(ListRequest(ListQuery(.notes))).ids == ["a", "b"])
    #expect(try await client.walk(ListQuery(.notes), limits: [1]).flatMap(\.ids) == ["a", "b"])
  }
}
