import BackendClient
import BackendKit
import Synchronization

/// A field that can be changed, with two different values.
struct Changeable: Sendable {
  var name: String
  var first: Value
  var second: Value

  /// The value that a record does not have.
  func value(unlike record: Record) -> Value {
    record.fields[name]?.isSame(as: second) == true ? first : second
  }
}

/// The fields that the suite may write, and values that they accept.
struct WritableFields: Sendable {
  /// A field unknown to all adapters, for records with arbitrary fields.
  static let unknown = "switchboardProbe"

  let context: LawContext

  /// True if records may have undescribed fields.
  var areOpen: Bool { context.resource.isOpen || context.resource.fields.isEmpty }

  /// The writable fields except the mark: texts first, integers last, which may have to refer to another resource.
  /// Restricted fields are included if they have bounds, after the others of their kind.
  func writable() async throws(CheckStop) -> [FieldDescription] {
    let order: [FieldDescription.Kind] = [.text, .html, .boolean, .any, .number, .date, .day, .object, .list, .integer]
    let fields = try await unmarked().filter(\.hasSamples)
    return order.flatMap { kind in
      fields.filter { $0.kind == kind && $0.takesAnyValue } + fields.filter { $0.kind == kind && !$0.takesAnyValue }
    }
  }

  /// The fields whose accepted values cannot be derived.
  func restricted() async throws(CheckStop) -> [FieldDescription] { try await unmarked().filter { !$0.hasSamples } }

  /// The field with the mark.
  func marked() async throws(CheckStop) -> FieldDescription {
    let name = try await context.sandbox.template().markField
    return context.resource.field(named: name) ?? FieldDescription(name, .text)
  }

  /// The writable fields except the mark and references to the owner.
  func unmarked() async throws(CheckStop) -> [FieldDescription] {
    let template = try await context.sandbox.template()
    let owners = try await owners()
    return context.resource.fields.filter {
      $0.takesValues && !context.resource.identifier.isHeld(by: $0.name) && $0.name != template.markField
        && !owners.contains($0.name)
    }
  }

  func without(
    _ words: String, of kinds: [FieldDescription.Kind] = FieldDescription.Kind.allCases
  ) async throws(CheckStop) -> CheckStop {
    .notApplicable(try await reason(words, of: kinds))
  }

  func reason(_ words: String, of kinds: [FieldDescription.Kind]) async throws(CheckStop) -> String {
    let names = try await restricted().filter { kinds.contains($0.kind) }.map(\.name)
    guard !names.isEmpty else { return words }
    return "no accepted value is known for \(names.joined(separator: ", "))"
  }

  /// The fields that can be changed, each with two values; the mark precedes those that may be references.
  func changeable() async throws(CheckStop) -> [Changeable] {
    let template = try await context.sandbox.template()
    let others = try await writable().map { field in
      let samples = field.samples
      return Changeable(name: field.name, first: samples[0], second: samples[1])
    }
    let mark = context.sandbox.mark
    let marked = Changeable(name: template.markField, first: .string(mark + "-a"), second: .string(mark + "-b"))
    // Fields that may refer to another record come last.
    let sure = others.filter { $0.first.text != nil || $0.first.bool != nil }
    return sure + [marked] + others.filter { $0.first.text == nil && $0.first.bool == nil }
  }

  /// A text field that an update may set; without a description, one that adapters accept.
  var updatable: FieldDescription? {
    let described = context.resource.fields.first {
      [.text, .html].contains($0.kind) && $0.takesValues && !context.resource.identifier.isHeld(by: $0.name)
    }
    return described ?? (context.resource.fields.isEmpty ? FieldDescription("title", .text) : nil)
  }

  var unsent: Object {
    var fields = Object()
    for field in context.resource.fields where field.isRequired && field.takesValues {
      fields[field.name] = field.samples[0]
    }
    if fields.count == 0, let field = updatable { fields[field.name] = "title" }
    return fields
  }

  /// A field for testing texts, and the prefix that it requires.
  func textProbe(length: Int, exact: Bool) async throws(CheckStop) -> (field: String, prefix: String) {
    let fields = try await writable().filter { [.text, .html, .any].contains($0.kind) }
    if let field = fields.first(where: { ($0.maximumLength ?? .max) >= length }) { return (field.name, "") }
    if areOpen { return (WritableFields.unknown, "") }
    let template = try await context.sandbox.template()
    let maximum = context.resource.field(named: template.markField)?.maximumLength ?? .max
    guard !exact, maximum - context.sandbox.mark.utf16.count > length else {
      throw .notApplicable(try await reason("no writable field holds such text", of: [.text, .html, .any]))
    }
    return (template.markField, context.sandbox.mark + " ")
  }

  /// Fields of these kinds for testing values, in this order, including an undescribed one if records may have any.
  func probes(_ kinds: [FieldDescription.Kind]) async throws(CheckStop) -> [FieldDescription] {
    var fields = try await writable()
    if areOpen { fields.append(FieldDescription(WritableFields.unknown, .any)) }
    return kinds.flatMap { kind in fields.filter { $0.kind == kind } }
  }

  func identifier() throws(CheckStop) -> String {
    guard let field = context.resource.identifier.field else {
      throw .notApplicable("the identifier is not among the fields")
    }
    return field
  }

  /// The fields with which a new record chooses its identifier.
  func naming(_ id: RecordID) throws(CheckStop) -> Object {
    let rule = context.resource.identifier
    guard !rule.parts.isEmpty else { return .only(try identifier(), value(of: id)) }
    let values = rule.values(of: id) ?? []
    return Object(
      values.map { part in
        let isNumber = context.resource.field(named: part.field)?.kind == .integer
        return (part.field, isNumber ? Number(part.text).map { .number($0) } ?? .string(part.text) : .string(part.text))
      })
  }

  func value(of id: RecordID) -> Value {
    guard context.resource.identifier.form == .integer, let number = Number(id.text) else { return .string(id.text) }
    return .number(number)
  }

  func limited() async throws(CheckStop) -> [(FieldDescription, Int)] {
    try await context.sandbox.needsWriting()
    let limited = context.resource.fields.compactMap { field in
      field.isReadOnly || field.likely.contains(.maximumLength) ? nil : field.maximumLength.map { (field, $0) }
    }
    guard !limited.isEmpty else { throw .notApplicable("no text field has a maximum length") }
    return limited
  }

  /// A text of this length, with the mark if there is room.
  func text(in field: FieldDescription, length: Int, of letter: String = "x") -> String {
    let mark = length > context.sandbox.mark.utf16.count ? context.sandbox.mark : ""
    return mark + String(repeating: letter, count: (length - mark.utf16.count) / field.length(of: letter))
  }

  /// Fields that servers are known to refuse: values of the wrong kind, and texts that are too long.
  func wrong() async throws(CheckStop) -> [Object] {
    try await context.sandbox.needsWriting()
    let template = try await context.sandbox.template()
    var wrong: [Object] = []
    let rule = context.resource.identifier
    for field in context.resource.fields where field.takesValues && !rule.isHeld(by: field.name) {
      if field.name == template.markField { continue }
      switch field.kind {
      case .boolean, .integer, .number: wrong.append(.only(field.name, "neither"))
      case .text, .html, .date, .day: wrong.append(.only(field.name, ["a": [1]]))
      case .object, .list: wrong.append(.only(field.name, 1))
      case .any: break
      }
      if !field.values.isEmpty { wrong.append(.only(field.name, "none of them")) }
      if let maximum = field.maximumLength {
        wrong.append(.only(field.name, .string(text(in: field, length: maximum + 1))))
      }
      if field.isRequired { wrong.append(.only(field.name, .null)) }
    }
    return wrong
  }

  /// The fields that refer to the owner of nested records. Changing them would move a record out of the resource.
  func owners() async throws(CheckStop) -> Set<String> {
    guard let owner = context.path.parent?.id, context.operations.contains(.list) else { return [] }
    if let owners = context.sandbox.owners.withLock({ $0 }) { return owners }
    let records = try await context.page(context.query(pageSize: 20)).records
    let names = records.first?.fields.names.filter { name in
      !context.resource.identifier.isHeld(by: name) && records.allSatisfy { RecordID($0.fields[name]) == owner }
    }
    let owners = Set(names ?? [])
    context.sandbox.owners.withLock { $0 = owners }
    return owners
  }

  /// The described fields, or else those of the first listed records.
  func known() async throws(CheckStop) -> [FieldDescription] {
    guard context.resource.fields.isEmpty, context.operations.contains(.list) else { return context.resource.fields }
    if let learned = context.sandbox.learned.withLock({ $0 }) { return learned }
    var names: [String] = []
    var kinds: [String: FieldDescription.Kind] = [:]
    for record in try await context.page(context.query(pageSize: 20)).records {
      for (name, value) in record.fields.members {
        guard let kind = FieldDescription.Kind(of: value) else { continue }
        if kinds[name] == nil { names.append(name) }
        kinds[name] = kinds[name].map { $0.joined(with: kind) } ?? kind
      }
    }
    let learned = names.map { FieldDescription($0, kinds[$0] ?? .any) }
    context.sandbox.learned.withLock { $0 = learned }
    return learned
  }

  /// The fields with values that may be cleared, including restricted ones.
  func clearableFields(of made: Made) async throws(CheckStop) -> [FieldDescription] {
    let takesEmpty = context.capabilities.clearsByEmptyText
    return try await unmarked().filter {
      !$0.isRequired && ($0.isNullable || takesEmpty && $0.kind == .text) && made.sent[$0.name] != nil
    }
  }
}

extension FieldDescription.Kind {
  fileprivate func joined(with other: Self) -> Self {
    let numbers: Set<Self> = [.integer, .number]
    return self == other ? self : numbers.isSuperset(of: [self, other]) ? .number : .any
  }
}
