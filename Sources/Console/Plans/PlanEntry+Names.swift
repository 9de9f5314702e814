import BackendClient
import BackendKit

/// The names by which later writes of a plan refer to records that it creates.
extension PlanEntry {
  /// The identifier of a created record, and the field that describes it.
  struct Identifier {
    let id: RecordID
    let field: FieldDescription?
  }

  /// Returns whether a text has the form of a name: `new:1`.
  static func isName(_ text: String) -> Bool {
    let number = text.utf8.dropFirst(4)
    return text.hasPrefix("new:") && (1...9).contains(number.count) && number.allSatisfy { (0x30...0x39) ~= $0 }
  }

  /// The names that the write uses: as its record, as an owner, and as whole texts of values.
  var used: [String] { Self.names(in: write) }

  /// The fields with values that are names, or have some.
  var namingFields: Set<String> {
    guard !used.isEmpty else { return [] }
    let path = ResourcePath(name: write.resource.name)
    let single: [(String, Write)] =
      switch write {
      case .create(_, let fields), .act(_, _, _, let fields):
        fields.members.map { ($0, .create(path, Object([($0, $1)]))) }
      case .update(_, _, let changes, let parts, _):
        changes.map { ($0.field, .update(path, RecordID(""), [$0])) }
          + parts.map { ($0.field, .update(path, RecordID(""), [], parts: [$0])) }
      case .delete: []
      }
    return Set(single.compactMap { Self.names(in: $1).isEmpty ? nil : $0 })
  }

  private static func names(in write: Write) -> [String] {
    var names: [String] = []
    _ = PlanEntry(write, before: nil).replacing([]) { text in
      if isName(text) { names.append(text) }
      return nil
    }
    return names
  }

  /// The entry with identifiers in place of names. A value has the type that its field is described with, otherwise
  /// that of the identifier itself.
  func replacing(_ fields: [FieldDescription], with identifier: (String) -> Identifier?) -> PlanEntry {
    func value(_ text: String, _ field: FieldDescription?) -> Value? {
      guard let found = identifier(text) else { return nil }
      let isTyped = [.text, .html, .integer, .number].contains(field?.kind)
      return Value.string(found.id.text).fitted(to: isTyped ? field : found.field)
    }
    func replaced(_ object: Object) -> Object {
      Object(object.members.map { ($0, $1.replacing(in: fields.field($0), value)) })
    }
    func replaced(_ id: RecordID) -> RecordID { identifier(id.text)?.id ?? id }
    let owners = write.resource.parts.enumerated().map { place, part in
      place.isMultiple(of: 2) ? part : identifier(part)?.id.text ?? part
    }
    let path = ResourcePath(parts: owners) ?? write.resource
    var entry = self
    switch write {
    case .create(_, let fields): entry.write = .create(path, replaced(fields))
    case .act(_, let id, let name, let fields): entry.write = .act(path, id, name, replaced(fields))
    case .delete(_, .one(let id), let use): entry.write = .delete(path, .one(replaced(id)), revision: use)
    case .delete(_, .all, let use): entry.write = .delete(path, .all, revision: use)
    case .update(_, let id, let changes, let parts, let use):
      let changes = changes.map { change in
        guard case .set(let name, let old) = change else { return change }
        return .set(name, old.replacing(in: fields.field(name), value))
      }
      let parts = parts.map { part in
        PartChange(part.path, part.value?.replacing(in: fields.field(part.field), value)) ?? part
      }
      entry.write = .update(path, replaced(id), changes, parts: parts, revision: use)
    }
    if let old = before?.fields { entry.before?.fields = replaced(old) }
    return entry
  }
}

extension Value {
  /// The value with others in place of some of its texts, at any depth.
  fileprivate func replacing(
    in field: FieldDescription?, _ value: (String, FieldDescription?) -> Value?
  ) -> Value {
    switch self {
    case .string(let text): value(text, field) ?? self
    case .array(let elements): .array(elements.map { $0.replacing(in: field, value) })
    case .object(let object):
      .object(Object(object.members.map { ($0, $1.replacing(in: field?.fields.field($0), value)) }))
    case .null, .bool, .number: self
    }
  }
}

extension [FieldDescription] {
  fileprivate func field(_ name: String) -> FieldDescription? { first { $0.name == name } }
}

/// The names that the lines of a plan have given so far, with the numbers of the rows.
struct PlanNames {
  private(set) var rows: [String: Int] = [:]

  /// Takes the next entry. Throws if it uses a name that no earlier creation has, or gives one again.
  mutating func take(_ entry: PlanEntry, at row: Int) throws(PlanMistake) {
    if let name = entry.used.first(where: { rows[$0] == nil }) {
      throw PlanMistake("no earlier creation of the plan has the name \(name)")
    }
    guard let name = entry.new else { return }
    guard rows.updateValue(row, forKey: name) == nil else {
      throw PlanMistake("an earlier creation of the plan has the name \(name), too")
    }
  }
}
