import ConsoleOutput
package import ConsoleSystem

/// The kind of a word after a command's name, or of an option's value. Usage texts, completion, checks and blanking are
/// based on it.
package indirect enum WordKind: Hashable, Sendable {
  /// The use of a file that a word names.
  package enum FileUse: Hashable, Sendable {
    case read
    /// A file to read, or `-` for standard input.
    case input
    case written
  }

  case command, topic, target, backend, identifier, predicate, assignment, field, fields, relations, sortKeys,
    expression, format
  case law, action, variable, settingName
  /// The value of a setting, whose name is known once it is typed.
  case settingValue(of: String?)
  /// The condition of `if` or `expect`.
  case condition
  /// A nested command.
  case line
  /// An SQL statement: the rest of the line, verbatim.
  case statement
  /// The name of a configured statement.
  case query
  /// A value of a parameter of such a statement.
  case parameter
  /// A command in parentheses.
  case group
  case file(FileUse, as: String = "FILE")
  /// One of several words, literally or under a name.
  case oneOf([String], as: String? = nil)
  /// A whole number within these limits.
  case count(from: Int, to: Int = Int(Int32.max))
  /// A value that cannot be predicted: a number, a text, a user name.
  case free(String)
  case either([WordKind])

  package static let number = WordKind.free("N")
  package static let text = WordKind.free("TEXT")

  /// The name in usage texts.
  package var name: String {
    switch self {
    case .command: "COMMAND"
    case .topic: "TOPIC"
    case .target: "TARGET"
    case .backend: "BACKEND"
    case .identifier: "ID"
    case .predicate: "PREDICATE"
    case .assignment: "FIELD=VALUE"
    case .field: "FIELD"
    case .fields, .relations: "FIELDS"
    case .sortKeys: "KEYS"
    case .expression: "EXPRESSION"
    case .format: "FORMAT"
    case .law: "LAW"
    case .action: "ACTION"
    case .variable: "VARIABLE"
    case .settingName: "NAME"
    case .settingValue: "VALUE"
    case .condition: "CONDITION"
    case .count: "N"
    case .line: "LINE"
    case .statement: "STATEMENT"
    case .query: "QUERY"
    case .parameter: "PARAMETER=VALUE"
    case .group: "(LINE)"
    case .file(_, let name), .free(let name), .oneOf(_, let name?): name
    case .oneOf(let words, nil): words.joined(separator: "|")
    case .either(let kinds): kinds.map(\.name).joined(separator: "|")
    }
  }

  /// The possible words, if some are known in advance.
  package var words: [String] {
    switch self {
    case .oneOf(let words, _): words
    case .either(let kinds): kinds.flatMap(\.words)
    default: []
    }
  }

  /// True if the word may name a file, or may be any text.
  package var takesFile: Bool {
    switch self {
    case .file, .line, .group: true
    case .free: self != .number
    case .either(let kinds): kinds.contains(where: \.takesFile)
    default: false
    }
  }

  /// The number in an argument or option; nil for another kind. Throws if the text is neither a number within the
  /// limits nor an allowed word.
  package func counted(_ text: String, of name: String) throws(UsageError) -> Int? {
    switch self {
    case .count(let least, let most): return try Self.count(text, name, minimum: least, maximum: most)
    case .oneOf(let words, nil) where !words.contains(text):
      throw UsageError("\(name) is \(words.asChoice), not \"\(text)\"")
    default: return nil
    }
  }

  /// The whole number in a text; throws if it is not one within the limits.
  package static func count(
    _ text: String, _ name: String, minimum: Int, maximum: Int = Int(Int32.max)
  ) throws(UsageError) -> Int {
    guard let count = Int(text), count >= minimum else {
      throw UsageError("\(name) takes a whole number of at least \(minimum), not \"\(text)\"")
    }
    // The product of two of them, such as a page and its size, must not overflow.
    guard count <= maximum else { throw UsageError("\(name) must be at most \(maximum), not \(text)") }
    return count
  }
}
