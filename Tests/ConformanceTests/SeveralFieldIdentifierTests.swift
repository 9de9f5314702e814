import BackendConformance
import BackendKit
import Synchronization
import Testing

@Suite("An identifier of several fields") struct SeveralFieldIdentifierTests {
  @Test("is judged as any other is", arguments: [true, false]) func judged(isShown: Bool) async throws {
    var identifier = IdentifierRule(field: isShown ? "id" : nil, form: .text)
    (identifier.parts, identifier.separator) = (["site", "name"], "/")
    var boxes = Service.Resource(
      "boxes", at: try RequestPath("boxes"), identifier: identifier,
      fields: [
        FieldDescription("site", .text, isRequired: true), FieldDescription("name", .text, isRequired: true),
        FieldDescription("note", .text), FieldDescription("n", .integer),
      ])
    boxes.addressing.item = .template("boxes/{site}/{name}")
    boxes.creating = Service.Creating(takesIdentifiers: true)
    boxes.updating = Service.Updating("PATCH", clearing: .null)
    (boxes.deleting, boxes.paging) = (Service.Deleting(), .none)
    let service = Service(product: "Boxes", resources: [boxes])
    var subject = ConformanceSubject("boxes", ResourcePath(name: "boxes"), exchange: Boxes()) {
      RESTBackend(service, over: $0)
    }
    subject.judgesEngine = true
    let report = await ConformanceSuite(subject).run()
    #expect(report.isPassed, "\(report.failures.map { "\($0.law.name): \($0.breach.map { "\($0)" } ?? "")" })")
    let names = [
      "chosen identifiers", "unusual chosen identifiers", "get missing record",
      "update receipt as stored",
    ]
    for name in names {
      let result = try #require(report.results.first { $0.law.name == name }, "\(name)")
      #expect(result.reasonNotApplicable == nil, "\(name): \(result.words)")
    }
  }
}

/// A service whose boxes are named by their site and their name.
private final class Boxes: HTTPExchange {
  private let rows = Mutex<[Object]>([
    Object([("site", "north"), ("name", "a"), ("note", "x"), ("n", 1)]),
    Object([("site", "north"), ("name", "b"), ("note", "y"), ("n", 2)]),
    Object([("site", "south"), ("name", "a"), ("note", "z"), ("n", 3)]),
  ])

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let (status, document) = rows.withLock { answer(request, &$0) }
    var bytes: [UInt8] = []
    if let document { JSONWriter.write(document, to: &bytes) }
    return HTTPResponse(
      status: status, headers: [("Content-Type", "application/json")], body: HTTPBody(whole: bytes))
  }

  private func answer(_ request: HTTPRequest, _ rows: inout [Object]) -> (Int, Value?) {
    let path = request.path.segments
    let sent = request.body.flatMap { try? JSONReader.read($0).object }
    func place(_ site: Value?, _ name: Value?) -> Int? {
      rows.firstIndex { $0["site"] == site && $0["name"] == name }
    }
    guard path.count == 3 else {
      guard request.method == "POST" else { return (200, .array(rows.map { .object($0) })) }
      guard let sent, sent["site"]?.text != nil, sent["name"]?.text != nil else { return (422, nil) }
      guard place(sent["site"], sent["name"]) == nil else { return (409, nil) }
      rows.append(sent)
      return (201, .object(sent))
    }
    guard let place = place(.string(path[1]), .string(path[2])) else { return (404, nil) }
    switch request.method {
    case "PATCH":
      for (name, value) in (sent ?? Object()).members { rows[place][name] = value == .null ? nil : value }
      return (200, .object(rows[place]))
    case "DELETE":
      rows.remove(at: place)
      return (204, nil)
    default: return (200, .object(rows[place]))
    }
  }
}
