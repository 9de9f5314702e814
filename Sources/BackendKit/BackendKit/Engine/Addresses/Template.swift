extension String {
  /// The text with the known ones of its `{name}` placeholders filled in.
  func filled(_ values: [String: String]) -> String {
    guard mayHavePlaceholder else { return self }
    var filled = ""
    var rest = self[...]
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      rest = rest[open...]
      if let close = rest.firstIndex(of: "}"), let value = values[String(rest[rest.index(after: open)..<close])] {
        filled += value
        rest = rest[rest.index(after: close)...]
      } else {
        filled += "{"
        rest = rest.dropFirst()
      }
    }
    return filled + rest
  }
}

extension String {
  /// The text with all `{name}` placeholders filled in. Throws if one has no value: a placeholder is never sent.
  func filledWhole(_ values: [String: String]) throws(BackendError) -> String {
    guard mayHavePlaceholder else { return self }
    var rest = self[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      guard values[name] != nil else {
        throw .invalid("the path \"\(self)\" needs a value for {\(name)}")
      }
      rest = rest[rest.index(after: close)...]
    }
    return filled(values)
  }

  // Most segments have none, and a search by characters is far slower.
  private var mayHavePlaceholder: Bool { utf8.contains(UInt8(ascii: "{")) }
}

extension Value {
  /// The value with `{name}` placeholders in texts and names filled in; a text that consists of one in `whole` becomes
  /// that value.
  func filled(_ values: [String: String], whole: [String: Value] = [:]) -> Value {
    switch self {
    case .string(let text):
      if text.hasPrefix("{"), text.hasSuffix("}"), let value = whole[String(text.dropFirst().dropLast())] {
        return value
      }
      return .string(text.filled(values))
    case .array(let elements): return .array(elements.map { $0.filled(values, whole: whole) })
    case .object(let object):
      return .object(Object(object.members.map { ($0.filled(values), $1.filled(values, whole: whole)) }))
    default: return self
    }
  }

  /// Nests the value in objects along a path of members.
  func wrapped(in path: [String]) -> Value { path.reversed().reduce(self) { .object(Object([($1, $0)])) } }

  /// The value at a path of members; nil if there is none.
  func at(_ path: [String]) -> Value? {
    var value = self
    for name in path {
      guard let next = value.member(name) else { return nil }
      value = next
    }
    return value
  }

  /// A member of an object, or an element of a list by its number.
  func member(_ name: String) -> Value? {
    guard let elements = array else { return object?[name] }
    guard let index = Int(name), elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The values at a path in which `*` is any member of an object or element of a list.
  func values(at path: ArraySlice<String>) -> [Value] {
    guard let name = path.first else { return [self] }
    let rest = path.dropFirst()
    guard name == "*" else { return member(name)?.values(at: rest) ?? [] }
    return (array ?? object?.members.map { $1 } ?? []).flatMap { $0.values(at: rest) }
  }

  /// The first value at such a path.
  func at(any path: [String]) -> Value? { values(at: path[...]).first }

  /// The text, or a number or boolean as text.
  var plain: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let truth): truth ? "true" : "false"
    default: nil
    }
  }
}
