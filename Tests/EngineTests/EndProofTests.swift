import AdapterSupport
import BackendClient
import BackendKit
import Testing

/// Ends of lists: proved, likely or untested.
@Suite struct EndProofTests {
  private func client(
    _ body: String, headers: [(String, String)] = [], _ change: (inout Service.Resource) -> Void = { _ in }
  ) throws -> Client {
    let server = try SocketServer(
      SocketServer.answer(200, [("Content-Type", "application/json")] + headers, body))
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.isOpen = true
    resource.paging.isUntested = true
    change(&resource)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(server))
    return Client(name: "s", backend: backend)
  }

  private func rows(_ count: Int) -> String {
    "[" + (1...count).map { #"{"id":\#($0),"n":\#($0 % 3)}"# }.joined(separator: ",") + "]"
  }

  @Test(
    "a bare list of an odd length is likely whole", arguments: [(7, EndProof.likely), (10, .untested), (45, .likely)])
  func bare(count: Int, proof: EndProof) async throws {
    let client = try client(rows(count))
    let (ids, summary) = try await client.all(ListQuery(things))
    #expect(ids.count == count)
    #expect(summary.end == proof)
    #expect(summary.isCutShort == (proof == .untested))
    let counted = try await client.count(ListQuery(things), maximumScan: 1_000)
    #expect(counted.total == (proof == .untested ? nil : count))
  }

  @Test func `an envelope, a Link header or a documented parameter leave the end untested`() async throws {
    let link = try client(rows(7), headers: [("Link", #"</things?page=2>; rel="next""#)])
    let named = try client(rows(7)) { $0.paging.untestedParameter = "page" }
    let envelope = try client(#"{"items":\#(rows(7))}"#) { $0.recordsAt = [["items"]] }
    for client in [link, named, envelope] {
      #expect(try await client.all(ListQuery(things)).summary.doubt == .untestedEnd(received: 7))
    }
  }

  @Test(
    "a list without a described page is likely whole, or untested if its response has a sign of more",
    arguments: [
      ("", [:], EndProof.likely), (#"{"count":7,"next":null,"page":1,"took":90}"#, [:], .likely),
      (
        #"{"meta":{"total":7,"pages":1,"limit":50,"cursor":""}}"#, ["Link": "</docs>; rel=help", "X-Total": "7"],
        .likely
      ),
      (#"{"count":61}"#, [:], .untested), (#"{"meta":{"pagination":{"totalElements":"8"}}}"#, [:], .untested),
      (#"{"next":"/things?page=2"}"#, [:], .untested),
      (#"{"links":{"next":{"href":"/things?page=2"}}}"#, [:], .untested),
      (#"{"nextPageToken":"x"}"#, [:], .untested), (#"{"next_token":7}"#, [:], .untested),
      (#"{"@odata.nextLink":"things?$skip=7"}"#, [:], .untested), (#"{"has_more":true}"#, [:], .untested),
      (#"{"page":{"last":false}}"#, [:], .untested), (#"{"done":false}"#, [:], .untested),
      (#"{"page":{"number":0,"totalPages":2}}"#, [:], .untested), (#"{"limit":7}"#, [:], .untested),
      (#"{"link":[{"relation":"next","url":"x"}]}"#, [:], .untested),
      ("", ["Link": "</things?page=2>; rel=\"next\""], .untested), ("", ["X-Total-Count": "61"], .untested),
      ("", ["Content-Range": "items 0-6/61"], .untested), ("", ["X-Next-Page": "2"], .untested),
      ("", ["X-Pagination": #"{"total": 61}"#], .untested),
    ] as [(String, [String: String], EndProof)])
  func unsaid(around: String, headers: [String: String], proof: EndProof) async throws {
    let body = around.isEmpty ? rows(7) : #"{"items":\#(rows(7)),\#(around.dropFirst())"#
    func client(_ paging: Service.Paging) throws -> Client {
      try self.client(body, headers: headers.map { ($0.key, $0.value) }) {
        ($0.paging, $0.recordsAt) = (paging, [around.isEmpty ? [] : ["items"]])
      }
    }
    let (ids, summary) = try await client(Service.Paging()).all(ListQuery(things))
    #expect(ids.count == 7 && summary.end == proof && summary.isCutShort == (proof == .untested))
    #expect(try await client(.none).all(ListQuery(things)).summary.end == .proved)
  }

  @Test("what a record has is no sign of more records") func records() async throws {
    for body in [#"{"items":[{"id":1,"total":99,"next":"x"}]}"#, #"{"items":{"1":{"total":99,"next":"x"},"2":{}}}"#] {
      let client = try client(body) {
        ($0.paging, $0.recordsAt) = (Service.Paging(), [["items"]])
        if body.contains("\"2\"") { $0.layout = .map }
      }
      #expect(try await client.all(ListQuery(things)).summary.end == .likely, "\(body)")
    }
  }

  @Test(
    "a total decides whether the list is whole",
    arguments: [(7, nil), (20, .missing(of: 20, received: 7))] as [(Int, ListSummary.CompletenessWarning?)])
  func total(total: Int, doubt: ListSummary.CompletenessWarning?) async throws {
    let client = try client(#"{"items":\#(rows(7)),"total":\#(total)}"#) {
      $0.recordsAt = [["items"]]
      $0.paging.total = .member(["total"])
    }
    #expect(try await client.all(ListQuery(things)).summary.doubt == doubt)
  }

  @Test func `filters and sorts made here do not hide that the total was not reached`() async throws {
    let client = try client(#"{"items":\#(rows(7)),"total":20}"#) {
      $0.recordsAt = [["items"]]
      $0.paging.total = .member(["total"])
      $0.paging.isUntested = false
    }
    let filtered = ListQuery(things, filters: [.compare(FieldPath("n"), .equal, .value(1))])
    let sorted = ListQuery(things, sort: [SortKey(FieldPath("n"))])
    for query in [filtered, sorted] {
      #expect(try await client.all(query).summary.doubt == .missing(of: 20, received: 7))
    }
    var first = ListRequest(sorted, limit: 2)
    first.query.pageSize = 2
    #expect(try await client.list(first, to: RecordSink { _ in .more }).isCutShort)
  }

  @Test func `what needs the whole list is cut short by an untested end, unless the end is trusted`() async throws {
    let client = try client(rows(10))
    let filtered = ListQuery(things, filters: [.compare(FieldPath("n"), .equal, .value(1))])
    #expect(try await client.all(filtered).summary.isCutShort)
    #expect(try await client.all(ListQuery(things, sort: [SortKey(FieldPath("n"))])).summary.isCutShort)
    var request = ListRequest(filtered)
    request.trustsEnd = true
    let trusted = try await client.list(request, to: RecordSink { _ in .more })
    #expect(!trusted.isCutShort && trusted.end == .untested)
    // The first page does not depend on where the list ends, and shows no total.
    var first = ListRequest(ListQuery(things, pageSize: 20), limit: 20)
    #expect(try await client.list(first, to: RecordSink { _ in .more }).isCutShort)
    first.isPage = true
    let page = try await client.list(first, to: RecordSink { _ in .more })
    #expect(!page.isCutShort && page.total == nil && page.end == .untested)
  }

  @Test func `a field that lists leave out is not loaded, whatever a list shows of it`() async throws {
    let client = try client(#"[{"id":1,"key":""}]"#) { $0.unlisted = ["key"] }
    let held = BufferedPage()
    _ = try await client.list(ListRequest(ListQuery(things)), to: held.sink)
    let record = await held.records.first
    #expect(record?.fields["key"] == nil && record?.unloaded == ["key"])
  }
}
