package import BackendClient
package import BackendKit

/// The changes requested by the words of a command: to whole fields, and to parts of fields.
package struct FieldEdits {
  package var changes: [Change] = []
  package var parts: [PartChange] = []

  package var isEmpty: Bool { changes.isEmpty && parts.isEmpty }

  /// The fields of a new record: these over the given ones.
  package func filled(_ given: Object = Object()) throws(BackendError) -> Object {
    var fields = given
    for case .set(let name, let value) in changes { fields[name] = value }
    for part in parts {
      if let change = try part.ofMember(in: fields) {
        fields[change.field] = if case .set(_, let value) = change { value } else { nil }
        continue
      }
      if let formula = part.formula, given.isEmpty {
        throw .invalid(
          "\(part) is computed from \(formula.paths[0]), but there is no record to read it from",
          hint: "update computes from the record, --map from the row")
      }
      var whole = fields[part.field]
      try part.computed(of: fields).apply(to: &whole)
      fields[part.field] = whole
    }
    return fields
  }

  /// These changes over given fields, which they override.
  package func over(_ given: Object) throws(BackendError) -> FieldEdits {
    var edits = self
    var (given, changes) = (given, changes)
    for change in changes { given[change.field] = nil }
    for part in parts {
      if let change = try part.ofMember(in: given) {
        given[change.field] = nil
        changes.append(change)
        edits.parts.removeAll { $0 == part }
        continue
      }
      if part.formula != nil { given[part.field] = nil }
      guard var whole = given[part.field].map(Optional.some) else { continue }
      try part.apply(to: &whole)
      given[part.field] = whole
      edits.parts.removeAll { $0 == part }
    }
    edits.changes = given.members.map { Change.set($0.0, $0.1) } + changes
    return edits
  }
}

/// The name of a field, or the path to a part of one, as written.
///
/// A name in quotes is one name, and so is that of a described field. Any other is split at dots, `address.city`, as in
/// conditions; a member of the record with the whole name takes precedence (``PartChange/ofMember(in:)``).
struct FieldName {
  /// The names along the path; one for a field.
  let path: [String]

  init(_ text: String, isQuoted: Bool, fields: [FieldDescription]) {
    if text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      path = [String(text.dropFirst().dropLast())]
    } else if isQuoted || fields.contains(where: { $0.name == text }) {
      path = [text]
    } else {
      let names = FieldPath(text).names
      path = names.contains("") ? [text] : names
    }
  }

  /// Returns the known description of the field, or of the part.
  func description(in fields: [FieldDescription]) -> FieldDescription? {
    var found = fields.first { $0.name == path[0] }
    // The elements of a list are described together.
    for name in path.dropFirst() where Int(name) == nil { found = found?.fields.first { $0.name == name } }
    if path.count > 1, Int(path[path.count - 1]) != nil { return nil }
    return found
  }

  /// Adds the change of the field or part; nil unsets it. `isWord` is true of a text without a known type.
  func add(_ value: Value?, isWord: Bool = false, to edits: inout FieldEdits) {
    if let part = PartChange(path, value, isWord: isWord) {
      edits.parts.append(part)
    } else {
      edits.changes.append(value.map { .set(path[0], $0) } ?? .unset(path[0]))
    }
  }

  /// Adds the change of the field or part by a formula.
  func add(_ formula: Formula, to edits: inout FieldEdits) {
    edits.parts.append(PartChange(path, computing: formula))
  }

  /// Adds the inversion of a boolean.
  func addOpposite(to edits: inout FieldEdits) { edits.parts.append(PartChange(oppositeAt: path)) }

  /// Returns whether both names would set the same thing.
  func overlaps(_ other: FieldName) -> Bool {
    zip(path, other.path).allSatisfy { $0 == $1 } || path.joined(separator: ".") == other.path.joined(separator: ".")
  }
}
