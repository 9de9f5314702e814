import BackendClient
import BackendKit

extension Write {
  /// The write with everything resolved that depends on the record: toggled booleans, formulas, and whether a path is
  /// the name of a member.
  func definite(_ record: Record?) throws(BackendError) -> Write {
    guard case .update(let path, let id, var changes, let parts, let use) = self, !parts.isEmpty else {
      return self
    }
    var rest: [PartChange] = []
    for part in parts {
      if let change = try part.ofMember(in: record?.fields ?? Object()) {
        changes.append(change)
        continue
      }
      guard part.isRelative else {
        rest.append(try part.computed(of: record?.fields ?? Object()))
        continue
      }
      var whole = record?.fields[part.field]
      try part.computed(of: record?.fields ?? Object()).apply(to: &whole)
      let value = FieldPath(part.description).value(in: Object([(part.field, whole ?? .null)]))
      if let nested = PartChange(part.path, value) {
        rest.append(nested)
      } else {
        changes.append(.set(part.field, value ?? .null))
      }
    }
    return .update(path, id, changes, parts: rest, revision: use)
  }
}
