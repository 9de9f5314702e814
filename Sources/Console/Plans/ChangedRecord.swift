import BackendClient
import BackendKit

extension ResourceDescription {
  /// The fields of which two images of a record tell different values. What one of them does not know is not one.
  func differences(_ left: JournalImage, _ right: JournalImage) -> [String] {
    let names = Object((left.fields.names + right.fields.names).map { ($0, Value.null) }).names
    return names.filter { name in
      switch (left.value(of: name), right.value(of: name)) {
      case (.unknown, _), (_, .unknown): false
      default: !isSame(left.fields[name], right.fields[name], in: name)
      }
    }
  }

  /// What somebody has changed of a record between two looks at it, as a conflict is reported: what each field was, what it is now, and
  /// what a write would make of it. Nil where nothing has changed.
  func changes(_ before: JournalImage, _ now: JournalImage, under write: Write) -> [FieldMessage]? {
    let names = differences(before, now)
    if names.isEmpty {
      guard let old = before.revision, let new = now.revision, old != new else { return nil }
      return [FieldMessage("revision", "was \(old), is now \(new)")]
    }
    func shown(_ value: Value?) -> String {
      value.map { BackendError.quoted(JSONWriter.compact($0)) ?? "" } ?? "absent"
    }
    var wanted: [String: Value?] = [:]
    if case .update(_, _, let changes, _, _) = write {
      for change in changes {
        if case .set(let name, let value) = change { wanted[name] = value } else { wanted[change.field] = .some(nil) }
      }
    }
    return names.map { name in
      var words = ["was \(shown(before.fields[name]))", "is now \(shown(now.fields[name]))"]
      if let value = wanted[name] { words.append("was to be \(shown(value))") }
      return FieldMessage(name, words.joined(separator: ", "))
    }
  }
}
