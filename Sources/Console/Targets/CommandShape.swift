import CommandLanguage

/// The properties of a command that determine which of its words is the target.
struct CommandShape: Sendable {
  let name: String
  let arguments: [Argument]
  let writesRecords: Bool

  func takes(_ kind: WordKind) -> Bool { arguments.contains { $0.kind == kind } }
}
