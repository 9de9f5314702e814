import Testing

@testable import CommandLanguage
@testable import Console

@Suite("Options of commands that write") struct WritingOptionTests {
  static let commands: [Command] = [
    .create, .update, .delete, .edit, .undo, .apply, .import, .copy, .sync,
  ]

  @Test(
    "An option of writes is one option in all commands, but for those that have no use for it",
    arguments: [
      ("dry-run", []), ("yes", []), ("limit", []), ("jobs", []), ("retry", []), ("quiet", []),
      // Edits and plans end at the first failure.
      ("max-failures", ["edit", "apply"]),
      // Their input is no file of records: the text of an edit is kept, and the journal and the plan know what is left.
      ("rejects", ["edit", "undo", "apply"]),
      // These hold each record against what it was in any case, and a new record was not there before.
      ("recheck", ["create", "edit", "undo", "apply"]),
    ])
  func table(option: String, without: [String]) {
    let having = Self.commands.filter { !without.contains($0.name) }
    for command in Self.commands {
      let has = command.options.contains { $0.name == option }
      #expect(has == !without.contains(command.name), "\(command.name) --\(option)")
    }
    #expect(Set(having.compactMap { command in command.options.first { $0.name == option } }).count == 1)
  }

  @Test("A request and an action have the options of the gate", arguments: [Command.call, .request])
  func gate(command: Command) {
    for option in GateOptions.syntax { #expect(command.options.contains(option), "\(command.name) --\(option.name)") }
  }
}
