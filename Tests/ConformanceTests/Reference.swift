import BackendClient
import BackendConformance
import BackendKit

extension ConformanceSubject {
  /// Sets time limits that only an adapter that hangs exceeds, even on a busy machine.
  mutating func waitsLong() {
    timeLimit = .seconds(600)
    patience = .seconds(300)
  }
}

/// A reference server and its adapter, with the capabilities reported.
struct Reference: Sendable, CustomStringConvertible {
  var resource: InMemoryResource
  /// The path of the records; if it is below a record, they all belong to that record.
  var path = Reference.notes
  /// True if records below a record show their owner.
  var showsOwner: Bool { resource.description.field(named: "owner") != nil }
  let description: String

  static let notes = ResourcePath(name: "notes")

  /// The fields of the records; `priority` has to be given.
  static let fields = [
    FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text, isRequired: true),
    FieldDescription("body", .text), FieldDescription("priority", .integer, isRequired: true),
    FieldDescription("done", .boolean), FieldDescription("price", .number),
  ]

  /// A reference with so many records at the beginning.
  init(
    _ capabilities: Capabilities, count: Int = 7, filtering: InMemoryResource.Filtering = .exact,
    form: IdentifierRule.Form = .integer, revisionField: String? = nil, announcesEnd: Bool = true,
    description: String = "reference"
  ) {
    var fields = Reference.fields
    if form == .text { fields[0].kind = .text }
    if let revisionField { fields.append(FieldDescription(revisionField, .integer, isReadOnly: true)) }
    resource = InMemoryResource(
      "notes", (0..<count).map(Reference.record), identifier: IdentifierRule(form: form), fields: fields,
      capabilities: capabilities, filtering: filtering, revisionField: revisionField, announcesEnd: announcesEnd)
    self.description = description
  }

  private static func record(_ number: Int) -> Object {
    Object([
      ("title", .string("note \(number)")), ("body", number % 3 == 0 ? .null : .string("text \(number)")),
      ("priority", .int(number % 4)), ("done", .bool(number % 2 == 0)),
      ("price", Number("\(number).10").map { .number($0) } ?? .null),
    ])
  }

  /// The adapter over a new server, changed as reported, for the suite to judge.
  func subject(
    _ alter: @escaping @Sendable (any Backend, any HTTPExchange) -> any Backend = { backend, _ in backend }
  ) -> ConformanceSubject {
    let resources = [resource]
    var subject = ConformanceSubject("reference", path, exchange: ReferenceServer(resources)) {
      [path, showsOwner] exchange in
      let backend = ReferenceBackend(resources, exchange: exchange)
      return alter(path.parent == nil ? backend : OwnedBackend(inner: backend, showsOwner: showsOwner), exchange)
    }
    subject.isSandbox = true
    subject.waitsLong()
    subject.actions = Set(resource.description.actions.map(\.name))
    return subject
  }
}
