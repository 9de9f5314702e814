import BackendKit

/// The server's handling of the texts that it is sent.
enum GrailsText {
  /// The longest title, in UTF-16 code units.
  static let titleLimit = 255

  /// Checks what is written, and gives texts the form in which they are stored.
  static func encode(_ draft: inout Service.Draft, _ resource: Service.Resource) throws(BackendError) {
    for (name, value) in draft.fields.members {
      guard name != "version" else { throw .invalid("version is read-only: only the server sets it") }
      guard let kind = resource.fields.first(where: { $0.name == name })?.kind, kind == .text || kind == .html else {
        continue
      }
      draft.fields[name] = try text(name, value, &draft)
    }
    guard resource.fields.contains(where: { $0.name == "title" && $0.isRequired }) else { return }
    if draft.isNew, draft.fields["title"] == nil { throw .invalid("a title is needed", hint: "add title=…") }
    if let title = draft.fields["title"] { try checkTitle(title) }
  }

  /// Returns a value as the server stores it: texts lose the characters up to U+0020 at both ends, and empty ones
  /// become null.
  static func stored(_ value: Value) -> Value {
    guard case .string(let text) = value else { return value }
    var kept = text.unicodeScalars[...]
    while let last = kept.last, last.value <= 0x20 { kept.removeLast() }
    while let first = kept.first, first.value <= 0x20 { kept.removeFirst() }
    return kept.isEmpty ? .null : .string(String(kept))
  }

  private static func text(
    _ name: String, _ value: Value, _ draft: inout Service.Draft
  ) throws(BackendError) -> Value {
    let text: String
    switch value {
    case .null, .string: return value
    case .number(let number): text = number.text
    case .bool(let flag): text = flag ? "true" : "false"
    case .array, .object: throw .invalid("\(name) is text and cannot contain a \(value.kind)")
    }
    draft.notes.append("\(name) is stored as text")
    return .string(text)
  }

  private static func checkTitle(_ value: Value) throws(BackendError) {
    guard case .string(let title) = stored(value) else {
      throw .invalid("the title is required and cannot be empty", hint: "give it text")
    }
    let length = title.utf16.count
    guard length <= titleLimit else {
      throw .invalid(
        "the title is \(length) UTF-16 units long; the limit is \(titleLimit)", hint: "shorten it")
    }
  }
}
