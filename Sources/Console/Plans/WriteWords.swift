import BackendClient
import BackendKit

/// What a write does to a record, in words for people: field by field, old → new.
struct WriteWords {
  let resource: ResourceDescription

  /// The write with the record it is about, for example `update todos/3  completed: false → true`.
  func line(_ write: Write, before: Object?) -> String {
    let record = write.id.map { $0.isSole ? "" : "/\($0)" } ?? ""
    return "\(write.verb) \(write.resource)\(record)  \(change(by: write, before: before))"
  }

  /// What is changed; of a record that is made or deleted what it has.
  func change(by write: Write, before: Object?) -> String {
    switch write {
    case .update(_, _, let changes, let parts, _):
      let whole = changes.map { change -> String in
        let new: Value? = if case .set(_, let value) = change { value } else { nil }
        return "\(change.field): \(shown(before?[change.field], change.field)) → \(shown(new, change.field))"
      }
      return (whole + parts.map { changed($0, before) }).joined(separator: ", ")
    case .create(_, let fields), .act(_, _, _, let fields): return short(.object(withoutSecrets(fields)), 70)
    case .delete: return before.map { short(.object(withoutSecrets($0)), 70) } ?? ""
    }
  }

  private func changed(_ part: PartChange, _ before: Object?) -> String {
    guard !part.isOpposite else { return part.description }
    let old = before.flatMap { FieldPath(part.description).value(in: $0) }
    return "\(part): \(shown(old, part.field)) → \(shown(part.value, part.field))"
  }

  private func shown(_ value: Value?, _ field: String) -> String {
    if resource.field(named: field)?.isSecret == true { return "…" }
    return value.map { short($0, 30) } ?? "absent"
  }

  private func withoutSecrets(_ fields: Object) -> Object {
    var fields = fields
    for name in fields.names where resource.field(named: name)?.isSecret == true { fields[name] = .string("…") }
    return fields
  }

  private func short(_ value: Value, _ length: Int) -> String {
    let text = JSONWriter.compact(value)
    return text.count > length ? text.prefix(length) + "…" : text
  }
}
