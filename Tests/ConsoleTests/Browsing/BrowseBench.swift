import BackendClient
import BackendKit
import Files
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleScreen

/// A screen of todos without a terminal and a service, and its picture as text.
struct BrowseBench {
  static let todos = ResourceDescription(
    name: "todos", identifier: IdentifierRule(form: .integer),
    fields: [
      FieldDescription("title", .text, maximumLength: 12), FieldDescription("id", .integer, isReadOnly: true),
      FieldDescription("done", .boolean), FieldDescription("size", .text, values: ["S", "M", "L"]),
      FieldDescription("count", .integer),
      FieldDescription("userId", .integer, reference: RecordReference(to: "users")),
      FieldDescription("made", .text, isReadOnly: true), FieldDescription("key", .text, isSecret: true),
    ],
    capabilities: Capabilities(operations: [.list, .get, .create, .update, .delete], paging: .offset))

  static func todo(_ number: Int, title: String? = nil) -> Record {
    Record(
      id: RecordID("\(number)"),
      fields: Object([
        ("title", .string(title ?? "todo \(number)")), ("id", .int(number)), ("done", .bool(false)), ("size", "S"),
        ("count", .int(number)), ("userId", .int(7)), ("made", "early"), ("key", "hidden"),
      ]))
  }

  let client: Client
  var model: BrowseModel
  private(set) var effects: [BrowseModel.Effect] = []

  init(
    _ records: [Record] = (0..<30).map { todo($0) }, of resource: ResourceDescription = todos, isEditable: Bool = true,
    isInner: Bool = false
  ) throws {
    client = try CommandBench().targets.open("home").client
    let list = try Self.list(records, of: resource, client)
    let presentation = Presentation(fields: resource.fields, width: 80, isTerminal: true)
    model = BrowseModel(
      "it/todos", resource, list, presentation, BrowseEdits(in: client.makeSpool()), isEditable: isEditable,
      isInner: isInner)
    model.look()
  }

  /// A list of which these records were read, and which may have more.
  static func list(
    _ records: [Record], of resource: ResourceDescription = todos, _ client: Client, search: String? = nil
  ) throws -> BrowsedList {
    let spool = client.makeSpool()
    try spool.add(records)
    var query = ListQuery(ResourcePath(name: resource.name))
    query.search = search
    return BrowsedList(ListRequest(query), of: resource, in: spool)
  }

  /// Ends a list: all its records were read.
  func finish(_ list: BrowsedList) async throws {
    let request = ListRequest(ListQuery(ResourcePath(name: "todos")), limit: 0)
    list.finish(.success(try await client.list(request, to: RecordSink { _ in .more })))
  }

  mutating func press(_ keys: ScreenKey...) {
    for key in keys { if let effect = model.handle(key) { effects.append(effect) } }
  }

  /// Types characters, each a key.
  mutating func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// The last effect, once.
  mutating func takeEffect() -> BrowseModel.Effect? { effects.popLast() }

  /// The rows of the picture, without the blanks at their ends.
  mutating func rows(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
    model.frame((columns, rows)).rows.map { row in
      var text = row.map(\.text.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The row of messages.
  mutating func status() -> String {
    let shown = rows()
    return shown[shown.count - 2]
  }

  /// The last row.
  mutating func foot() -> String { rows().last ?? "" }

  /// The text under the cursor.
  mutating func selected() -> String {
    let spans = model.frame((80, 24)).rows.joined().filter(\.isSelected)
    return spans.map { $0.text.text.split(separator: " ").joined(separator: " ") }.joined(separator: "|")
  }
}
