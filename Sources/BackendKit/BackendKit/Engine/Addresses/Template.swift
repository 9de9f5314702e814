extension String {
  /// The text with each `{name}` of which something is known in its place.
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
  /// The text with each `{name}` in place. Throws if one has no value: a placeholder is never sent.
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

  // Most parts of a path have none, and by characters each is searched far more slowly.
  private var mayHavePlaceholder: Bool { utf8.contains(UInt8(ascii: "{")) }
}

extension Value {
  /// The value with each `{name}` in its texts and names in place; a text that is one of `whole` alone becomes that value.
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

  /// An object in which this value stands at the end of a path of members.
  func wrapped(in path: [String]) -> Value { path.reversed().reduce(self) { .object(Object([($1, $0)])) } }

  /// The value at the end of a path of members; nil where there is none.
  func at(_ path: [String]) -> Value? {
    var value = self
    for name in path {
      guard let next = value.member(name) else { return nil }
      value = next
    }
    return value
  }

  /// A member of an object, or the element of a list with this number.
  func member(_ name: String) -> Value? {
    guard let elements = array else { return object?[name] }
    guard let index = Int(name), elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The values at the end of a path in which `*` is any member of an object or element of a list.
  func values(at path: ArraySlice<String>) -> [Value] {
    guard let name = path.first else { return [self] }
    let rest = path.dropFirst()
    guard name == "*" else { return member(name)?.values(at: rest) ?? [] }
    return (array ?? object?.members.map { $1 } ?? []).flatMap { $0.values(at: rest) }
  }

  /// The first of these; nil where there is none.
  func at(any path: [String]) -> Value? { values(at: path[...]).first }

  /// The text, or the number or truth value as a text.
  var plain: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let truth): truth ? "true" : "false"
    default: nil
    }
  }
}
