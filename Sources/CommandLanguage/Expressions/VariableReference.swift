package import ConsoleSystem

/// A place in a word where a value is inserted: `$name`, `${name}`, `$last[0].title`, `${1:-text}`.
package struct VariableReference: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case member(String)
    /// An element of a list, counted from 0.
    case element(Int)
  }

  /// The name of a variable, `last`, `error`, `env`, or the number of an argument.
  package var name: String
  /// The path from there to the value.
  package var steps: [Step] = []
  /// The text used if the value is unset or null.
  var fallback: String?
  /// The position at which the value is inserted, in bytes of the word's text.
  var offset = 0
  /// The column of the reference in its line: 1-based, in characters.
  var column = 1
  /// True if an unset reference is null: `??` follows it.
  var isOptional = false
  /// True if the reference is in JSON outside of strings, so that the value is inserted as JSON.
  var isJSON = false

  /// Returns whether a text can be the name of a variable.
  package static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isNameByte(first), !isDigit(first) else { return false }
    return text.utf8.allSatisfy(isNameByte)
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  package static func isNameByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  /// The reference in braces, so that any text may follow.
  var spelling: String {
    var text = "${" + name
    for step in steps {
      switch step {
      case .member(let name) where Self.isName(name): text += "." + name
      case .member(let name): text += "[\"" + Self.escaped(name, "\"\\") + "\"]"
      case .element(let index): text += "[\(index)]"
      }
    }
    if let fallback { text += ":-" + Self.escaped(fallback, "}\\") }
    return text + "}"
  }

  /// The reference in messages.
  package var shown: String { "$" + spelling.dropFirst(2).dropLast().prefix { $0 != ":" } }

  private static func escaped(_ text: String, _ special: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

/// Reads a reference at a dollar sign.
package struct ReferenceScanner {
  private let bytes: ArraySlice<UInt8>
  package private(set) var at: Int

  package init(_ bytes: ArraySlice<UInt8>, at: Int) {
    self.bytes = bytes
    self.at = at
  }

  /// The reference; nil if the dollar sign is literal. Throws if one is not terminated.
  package mutating func next(column: Int) throws(UsageError) -> VariableReference? {
    let opening = at
    guard opening + 1 < bytes.endIndex else { return nil }
    at += 1
    let isBraced = bytes[at] == UInt8(ascii: "{")
    if isBraced { at += 1 }
    let name = takeName()
    guard !name.isEmpty else {
      if isBraced { throw Self.malformed(column) }
      at = opening
      return nil
    }
    var reference = VariableReference(name: name, column: column)
    while let step = try takeStep(isBraced: isBraced, column) { reference.steps.append(step) }
    guard isBraced else { return reference }
    if starts(":-") {
      at += 2
      reference.fallback = try takeText(until: UInt8(ascii: "}"), column)
    }
    guard starts("}") else { throw Self.malformed(column) }
    at += 1
    return reference
  }

  private static func malformed(_ column: Int) -> UsageError {
    UsageError(
      "the ${ at column \(column) is not a variable reference",
      hint: "${name}, ${name.field[0]} or ${name:-text}; \\$ is a dollar sign",
      column: column)
  }

  private func starts(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes[at...].starts(with: wanted)
  }

  // A number is the whole name of an argument; `$1st` is the first one and `st`.
  private mutating func takeName() -> String {
    guard at < bytes.endIndex else { return "" }
    let rest = bytes[at...]
    let name =
      VariableReference.isDigit(rest[at])
      ? rest.prefix(while: VariableReference.isDigit) : rest.prefix(while: VariableReference.isNameByte)
    at = name.endIndex
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func takeStep(isBraced: Bool, _ column: Int) throws(UsageError) -> VariableReference.Step? {
    guard at < bytes.endIndex else { return nil }
    if bytes[at] == UInt8(ascii: ".") {
      let name = bytes[(at + 1)...].prefix(while: VariableReference.isNameByte)
      guard let first = name.first, !VariableReference.isDigit(first) else { return nil }
      at = name.endIndex
      return .member(String(decoding: name, as: UTF8.self))
    }
    guard bytes[at] == UInt8(ascii: "[") else { return nil }
    let digits = bytes[(at + 1)...].prefix(while: VariableReference.isDigit)
    if digits.endIndex < bytes.endIndex, bytes[digits.endIndex] == UInt8(ascii: "]"),
      let index = Int(String(decoding: digits, as: UTF8.self))
    {
      at = digits.endIndex + 1
      return .element(index)
    }
    if !isBraced, starts("[\"") || starts("['") || starts("[$") {
      throw UsageError(
        "the brackets after a name must contain a number",
        hint: "${name[\"a field\"]} reads a field, ${name}[ is a literal bracket",
        column: column)
    }
    guard isBraced, starts("[\"") else { return nil }
    at += 2
    let name = try takeText(until: UInt8(ascii: "\""), column)
    guard starts("\"]") else { throw Self.malformed(column) }
    at += 2
    return .member(name)
  }

  private mutating func takeText(until end: UInt8, _ column: Int) throws(UsageError) -> String {
    var text: [UInt8] = []
    while at < bytes.endIndex, bytes[at] != end {
      if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.endIndex { at += 1 }
      text.append(bytes[at])
      at += 1
    }
    guard at < bytes.endIndex else { throw Self.malformed(column) }
    return String(decoding: text, as: UTF8.self)
  }
}
