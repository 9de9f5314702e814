import CommandLanguage

/// The facts of a command that decide which of its words is the target.
struct CommandShape: Sendable {
  let name: String
  let arguments: [Argument]
  /// True if it can create, update or delete records.
  let writesRecords: Bool

  /// Returns whether a word after the name can be of a kind.
  func takes(_ kind: WordKind) -> Bool { arguments.contains { $0.kind == kind } }
}
