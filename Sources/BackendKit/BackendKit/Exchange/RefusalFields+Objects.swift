/// The messages and the names of fields in the objects of failures.
extension RefusalFields {
  private static let namers = [
    "field", "loc", "pointer", "propertyPath", "property", "path", "instancePath", "param", "parameter", "attribute",
    "source", "target", "name", "key",
  ]

  static let selves: Set<String> = [
    "message", "type", "code", "title", "detail", "status", "description", "id", "instance", "error", "reason", "msg",
    "statusCode", "error_description", "timestamp", "path",
  ]

  /// Returns whether a member is about the failure as a whole.
  static func tellsItself(_ name: String, _ value: Value) -> Bool {
    (selves.contains(name) || name.hasPrefix("@")) && value.array == nil && value.object == nil && value != .null
  }

  /// The message in an object, and the member with it. A code counts where nothing else does, as at GitHub.
  static func message(of object: Object) -> (text: String, member: String)? {
    let texts = ["message", "msg", "detail", "description", "defaultMessage", "reason", "title"]
    for name in texts {
      if let text = object[name]?.text, !text.isEmpty { return (text, name) }
    }
    guard namesField(object) else { return nil }
    for name in ["message", "messages", "errors", "reasons", "constraints", "code", "error", "type"] {
      if let text = object[name].flatMap(Self.text) { return (text, name) }
    }
    return nil
  }

  /// A text, or several of them joined.
  static func text(_ value: Value) -> String? {
    if let text = value.text { return text }
    let values = value.array ?? value.object?.members.map { $0.1 } ?? []
    let texts = values.compactMap(\.text)
    return texts.isEmpty || texts.count < values.count ? nil : texts.joined(separator: "; ")
  }

  /// Returns whether an object names a field, known or not.
  static func namesField(_ object: Object) -> Bool { namers.contains { !parts(object[$0]).names.isEmpty } }

  /// The field that an object names, and the path to that name. Known fields take precedence, since an error may have a
  /// name, too.
  func name(in object: Object) -> (name: String, member: [String])? {
    let named = Self.namers.compactMap { key -> (name: String, member: [String])? in
      let (names, inner) = Self.parts(object[key])
      return names.isEmpty ? nil : (field(names), [key] + inner)
    }
    if let found = named.first(where: { isKnown($0.name) }) { return found }
    if let other = object.members.first(where: { known.contains($0.1.text ?? "") && !Self.selves.contains($0.0) }) {
      return (other.1.text ?? "", [other.0])
    }
    for (outer, value) in object.members {
      let inner = value.object?.members.first { known.contains($0.1.text ?? "") && !Self.selves.contains($0.0) }
      if let inner { return (inner.1.text ?? "", [outer, inner.0]) }
    }
    return named.first
  }

  /// The name of a field at a path. Before a known one there is the name of a parameter or an envelope.
  private func field(_ path: [String]) -> String {
    let own = path.drop { !known.contains($0) }
    return (own.isEmpty ? path[...] : own).joined(separator: ".")
  }

  private static let prefixes = FieldMessages([]).prefixes

  /// The names in a member that names a field, and the path to it in that member.
  private static func parts(_ value: Value?) -> (names: [String], inner: [String]) {
    guard let value else { return ([], []) }
    let inner = value.object.flatMap { object in ["pointer", "parameter"].first { object[$0]?.text != nil } }
    let place = inner.flatMap { value.object?[$0] } ?? value
    return (names(at: place, besides: prefixes), inner.map { [$0] } ?? [])
  }

  /// The names in a JSON pointer, a path or a list of names. Those that it begins with and that are no part of the field
  /// are left out.
  static func names(at place: Value, besides prefixes: Set<String>) -> [String] {
    var names = place.array?.compactMap(\.plain) ?? []
    if var text = place.text?[...] {
      for start in ["#", "$."] where text.hasPrefix(start) { text = text.dropFirst(start.count) }
      names = text.split(separator: text.contains("/") ? "/" : ".").map {
        String($0).replacing(text: "~1", with: "/").replacing(text: "~0", with: "~")
      }
    }
    while names.count > 1, prefixes.contains(names[0]) { names.removeFirst() }
    return names
  }
}
