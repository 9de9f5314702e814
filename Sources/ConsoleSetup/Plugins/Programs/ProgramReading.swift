import BackendKit

/// The mistake in a program's answer, as a clause after its name.
struct ProgramMistake: Error, Sendable {
  let clause: String

  init(_ clause: String) { self.clause = clause }
}

/// An object in an answer, read strictly: another type or an unknown member is a mistake.
struct ProgramReading {
  let object: Object
  private let question: String

  init(_ object: Object, _ question: String) {
    self.object = object
    self.question = question
  }

  /// Refuses any other member.
  func allow(_ names: [String]) throws(ProgramMistake) {
    guard let other = object.names.first(where: { !names.contains($0) }) else { return }
    throw mistake("has an unknown member \"\(other.prefix(40))\" (known: \(names.joined(separator: ", ")))")
  }

  /// A text that is not empty.
  func text(_ name: String) throws(ProgramMistake) -> String {
    guard let text = object[name]?.text, !text.isEmpty else { throw mistake("has no text \"\(name)\"") }
    return text
  }

  func inner(_ name: String) throws(ProgramMistake) -> Object {
    guard let inner = object[name]?.object else { throw mistake("has no object \"\(name)\"") }
    return inner
  }

  /// A list; empty if omitted.
  func list(_ name: String) throws(ProgramMistake) -> [Value] {
    guard let value = object[name], value != .null else { return [] }
    guard let list = value.array else { throw mistake("has a \"\(name)\" that is not a list") }
    return list
  }

  /// A list of texts; empty if omitted.
  func texts(_ name: String) throws(ProgramMistake) -> [String] {
    try list(name).map { value throws(ProgramMistake) in
      guard let text = value.text else { throw mistake("has a \"\(name)\" that is not a list of strings") }
      return text
    }
  }

  /// A list of objects; empty if omitted.
  func objects(_ name: String) throws(ProgramMistake) -> [ProgramReading] {
    try list(name).map { value throws(ProgramMistake) in
      guard let object = value.object else { throw mistake("has a \"\(name)\" that is not a list of objects") }
      return ProgramReading(object, question)
    }
  }

  /// A list of names and values, each a list of two texts; empty if omitted.
  func pairs(_ name: String) throws(ProgramMistake) -> [(String, String)] {
    try list(name).map { pair throws(ProgramMistake) in
      guard let texts = pair.array?.compactMap(\.text), texts.count == 2, pair.array?.count == 2 else {
        throw mistake("has a \"\(name)\" that is not a list of name-value pairs")
      }
      return (texts[0], texts[1])
    }
  }

  func mistake(_ clause: String) -> ProgramMistake {
    ProgramMistake("answered the question \(question) with an object that \(clause)")
  }
}
