import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicPagingTests {
  private let todo = WrittenServer.todo

  @Test func `Records stand in item, at the top or in _embedded, whatever else the envelope holds`() async throws {
    for hal in [false, true] {
      let written = try WrittenServer([], envelope(items(1...2), total: 2, hal: hal))
      let page = try await written.backend.page(ListQuery(todo, pageSize: 10))
      #expect(page.records.map(\.id) == ["r1", "r2"])
      #expect(page.end == PageEnd(total: 2))
    }
    let odd = FixtureServer.json(
      200, #"{"embed":["a"],"links":["x"],"new":{"item":[{"id":"no"}]},"item":[{"id":"a"}],"page":1,"totalRecords":1}"#)
    let page = try await WrittenServer([], odd).backend.page(ListQuery(todo, pageSize: 10))
    #expect(page.records.map(\.id) == ["a"])
    #expect(page.end == PageEnd(total: 1))
  }

  @Test func `A list that is answered with 204 is empty`() async throws {
    let written = try WrittenServer([], FixtureServer.answer(204))
    let page = try await written.backend.page(ListQuery(todo))
    #expect(page.records.isEmpty && page.end.next == nil)
  }

  @Test func `Pages follow one another, the same sort on each, until the total is reached`() async throws {
    let written = try WrittenServer(
      [], envelope(items(1...3), size: 3, total: 7), envelope(items(4...6), page: 2, size: 3, total: 7),
      envelope(items(7...7), page: 3, size: 3, total: 7))
    let query = ListQuery(todo, sort: [SortKey(FieldPath("title"), isDescending: true)], pageSize: 3, serverOrder: true)
    let pages = try await written.backend.pages(query)
    #expect(pages.map(\.records.count) == [3, 3, 1])
    #expect(
      written.exchange.summaries == (1...3).map { "GET /resources/todo?page=\($0)&rpp=3&sort=title%7Cdesc" })
  }

  @Test func `An ascending sort says so`() async throws {
    let written = try WrittenServer([], envelope("", total: 0))
    let query = ListQuery(todo, sort: [SortKey(FieldPath("title"))], serverOrder: true)
    #expect(try await written.backend.plan(query).request == "GET /resources/todo?page=1&rpp=100&sort=title%7Casc")
  }

  @Test func `The page size that the server names counts, for it may cap what was asked`() async throws {
    let written = try WrittenServer(
      [], envelope(items(1...2), size: 2, total: 3), envelope(items(3...3), page: 2, size: 2, total: 3))
    let pages = try await written.backend.pages(ListQuery(todo, pageSize: 50))
    #expect(pages.first?.end == PageEnd(next: Cursor("2/2/0"), total: 3, pageSize: 2))
    #expect(pages.flatMap(\.records).map(\.id) == ["r1", "r2", "r3"])
  }

  @Test func `An empty page ends the list though the total promised more`() async throws {
    let written = try WrittenServer(
      [], envelope(items(1...2), size: 2, total: 5), envelope("", page: 2, size: 2, total: 5))
    #expect(try await written.backend.pages(ListQuery(todo, pageSize: 2)).map(\.records.count) == [2, 0])
  }

  @Test func `A total that changes between pages changes where the list ends`() async throws {
    let written = try WrittenServer(
      [], envelope(items(1...2), size: 2, total: 3), envelope(items(2...3), page: 2, size: 2, total: 5),
      envelope(items(4...4), page: 3, size: 2, total: 5))
    let pages = try await written.backend.pages(ListQuery(todo, pageSize: 2))
    #expect(pages.flatMap(\.records).map(\.id) == ["r1", "r2", "r2", "r3", "r4"])
  }

  @Test func `Skipping begins within the page where the first record stands`() async throws {
    let written = try WrittenServer(
      [], envelope(items(4...6), page: 2, size: 3, total: 7), envelope(items(7...7), page: 3, size: 3, total: 7))
    let pages = try await written.backend.pages(ListQuery(todo, pageSize: 3, skip: 4))
    #expect(pages.flatMap(\.records).map(\.id) == ["r5", "r6", "r7"])
    #expect(written.exchange.summaries.first == "GET /resources/todo?page=2&rpp=3")
  }

  @Test func `Skipping where the server caps pages asks for another page before any record is shown`() async throws {
    let written = try WrittenServer(
      [], envelope(items(6...8), page: 2, size: 3, total: 8), envelope(items(7...8), page: 3, size: 3, total: 8))
    let pages = try await written.backend.pages(ListQuery(todo, pageSize: 5, skip: 6))
    #expect(pages.flatMap(\.records).map(\.id) == ["r7", "r8"])
    #expect(written.exchange.summaries == ["GET /resources/todo?page=2&rpp=5", "GET /resources/todo?page=3&rpp=3"])
  }

  @Test func `A page given up in the middle is gone on with behind the last record taken`() async throws {
    let long = (1...40).map { #"{"id":"r\#($0)","title":"\#(String(repeating: "x", count: 200))"}"# }
    let body = envelope(long.joined(separator: ","), size: 40, total: 40)
    let written = try WrittenServer([], body, body)
    let taken = Taken()
    let end = try await written.backend.list(
      ListQuery(todo, pageSize: 40), at: nil,
      to: RecordSink { records throws(BackendError) in
        await taken.take(records)
        return .enough
      })
    let next = try #require(end.next)
    let rest = try await written.backend.page(ListQuery(todo, pageSize: 40), at: next)
    #expect(await taken.ids + rest.records.map { $0.id?.text } == (1...40).map { "r\($0)" })
    #expect(rest.end.next == nil)
  }

  @Test func `A page that was taken whole tells its total though the receiver had enough`() async throws {
    let written = try WrittenServer([], envelope(items(1...3), size: 3, total: 7))
    let end = try await written.backend.list(
      ListQuery(todo, pageSize: 3), at: nil, to: RecordSink { _ throws(BackendError) in .enough })
    #expect(end == PageEnd(next: Cursor("3"), total: 7))
  }

  @Test(arguments: ["1", "0/3/0", "x", "1/2/-1", "1/2/3/4"])
  func `A page mark of another backend is refused`(mark: String) async throws {
    let written = try WrittenServer([], envelope("", total: 0))
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.page(ListQuery(todo), at: Cursor(mark))
    }
    #expect(error?.code == .invalid && written.server.requests.isEmpty)
  }

  @Test(arguments: [#"{"items":[]}"#, "[]", "<html>", "", #"{"item":[{"id":"a"}"#, #"{"item":[1]}"#])
  func `A page that is none is a bad answer`(body: String) async throws {
    let written = try WrittenServer([], FixtureServer.answer(200, [], body))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.page(ListQuery(todo)) }
    #expect(error?.code == .badResponse)
  }
}

/// What a sink was given.
private actor Taken {
  private(set) var ids: [String?] = []

  func take(_ records: [Record]) { ids += records.map { $0.id?.text } }
}
