import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup

/// A write in words for people: field by field, old → new, without secrets.
struct WriteWords {
  let resource: ResourceDescription
  let blanking: Blanking

  /// The write with its record, for example `update todos/3  completed: false → true`.
  func line(_ write: Write, before: Object?) -> String {
    let record = write.id.map { $0.isSole ? "" : "/\($0)" } ?? ""
    return "\(write.verb) \(write.resource)\(record)  \(change(by: write, before: before))"
  }

  /// The fields of HTML that a write sets, with their texts.
  func html(of write: Write) -> [(name: String, text: String)] {
    WantedFields(write).values.members.compactMap { name, value in
      guard let field = resource.field(named: name), field.kind == .html, !isSecret(name, value) else { return nil }
      return value.text.flatMap { $0.isEmpty ? nil : (name, $0) }
    }
  }

  /// The changes; for a created or deleted record, its values.
  func change(by write: Write, before: Object?) -> String {
    switch write.asKept(by: resource) {
    case .update(_, _, let changes, let parts, _):
      let whole = changes.map { change -> String in
        let (new, doubt) = outcome(of: change)
        let text = before.map { arrow($0[change.field], new, change.field) } ?? shown(new, change.field)
        return "\(change.field): \(text)\(doubt)"
      }
      return (whole + parts.map { changed($0, before) }).joined(separator: ", ")
    case .create(_, let fields), .act(_, _, _, let fields):
      let files = fields.members.compactMap { name, value in UploadedFile.shown(value).map { "\(name): \($0)" } }
      let rest = Object(withoutSecrets(fields).members.filter { UploadedFile.facts(in: $0.1) == nil })
      return ((rest.isEmpty && !files.isEmpty ? [] : [short(.object(rest), 70)]) + files).joined(separator: ", ")
    case .delete: return before.map { short(.object(withoutSecrets($0)), 70) } ?? ""
    }
  }

  /// The value that a field will have, nil for none, and what is not known of it.
  private func outcome(of change: Change) -> (value: Value?, doubt: String) {
    switch change {
    case .set(_, let value): return (value, "")
    case .unset(let name):
      let cleared = resource.contentOfCleared(name)
      let value = resource.field(named: name)?.serverDefault
      if let value, ![.absent, .emptyText].contains(cleared) { return (value, "") }
      return switch cleared {
      case .absent: (nil, "")
      case .null: (.null, "")
      case .untestedNull: (.null, " (may not be cleared)")
      case .emptyText: ("", "")
      case .serverDefault: (nil, "")
      }
    }
  }

  private func changed(_ part: PartChange, _ before: Object?) -> String {
    guard !part.isOpposite else { return part.description }
    if part.path.contains(where: blanking.isSecret) || isSecret(part.field, part.value) { return "\(part): … → …" }
    if let formula = part.formula {
      guard let before, let part = try? part.computed(of: before) else { return "\(part): \(formula)" }
      return changed(part, before)
    }
    guard let before else { return "\(part): \(shown(part.value, part.field))" }
    let part = (try? part.computed(of: before)) ?? part
    let old = FieldPath(part.description).value(in: before)
    return "\(part): \(arrow(old, part.value, part.field))"
  }

  /// The new value of a field, if the old one is unknown.
  private func shown(_ new: Value?, _ field: String) -> String {
    if isSecret(field, new) { return "…" }
    if let file = new.flatMap(UploadedFile.shown) { return file }
    return new.map { short($0, Self.width) } ?? "absent"
  }

  /// The values of a field. Of long texts, the part with the first difference is shown.
  private func arrow(_ old: Value?, _ new: Value?, _ field: String) -> String {
    if isSecret(field, old) || isSecret(field, new) { return "… → …" }
    if let file = new.flatMap(UploadedFile.shown) {
      return "\(old.map { resource.field(named: field)?.file?.shown($0) ?? "" } ?? "absent") → \(file)"
    }
    var texts = [old, new].map { $0.map { JSONWriter.compact($0) } }
    if case .string? = old, case .string? = new, let left = texts[0], let right = texts[1] {
      let common = zip(left, right).prefix { $0 == $1 }.count
      if common > Self.lead + 1, max(left.count, right.count) > Self.width {
        texts = [left, right].map { "\"…" + $0.dropFirst(common - Self.lead) }
      }
    }
    return texts.map { text in text.map { $0.shortened(to: Self.width) } ?? "absent" }.joined(separator: " → ")
  }

  /// The maximum length of a shown value, and of the part before the first difference.
  private static let (width, lead) = (30, 8)

  /// Returns whether a value of a field is a secret, or has one in it.
  private func isSecret(_ field: String, _ value: Value?) -> Bool {
    resource.field(named: field)?.holdsSecret == true || !blanking.isPlain(Object([(field, value ?? .null)]))
  }

  private func withoutSecrets(_ fields: Object) -> Object {
    var fields = fields
    for (name, value) in fields.members where isSecret(name, value) { fields[name] = .string("…") }
    return fields
  }

  private func short(_ value: Value, _ length: Int) -> String { JSONWriter.compact(value).shortened(to: length) }
}
