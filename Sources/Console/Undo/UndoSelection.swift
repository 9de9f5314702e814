import CommandLanguage
import ConsoleSystem

enum UndoSelection {
  case commands(Int)
  case writes(Int)
  case since(Int64)
  case entry(Int64)
  /// The writes of a plan, whichever runs have applied it.
  case plan(Word)

  init(_ invocation: Invocation, isTyped: Bool) throws(UsageError) {
    var given: [UndoSelection] = []
    if let count = try invocation.counts().first {
      guard isTyped else {
        throw UsageError(
          "undo \(count) could mean commands or writes", hint: "undo --commands \(count) or undo --writes \(count)",
          column: invocation.word(.count(from: 1))?.column)
      }
      given.append(.commands(count))
    }
    if let count = try invocation.count(of: "commands") { given.append(.commands(count)) }
    if let count = try invocation.count(of: "writes") { given.append(.writes(count)) }
    if let word = invocation.word(of: "since") { given.append(.since(try JournalTime.milliseconds(word))) }
    if let number = try invocation.count(of: "entry") { given.append(.entry(Int64(number))) }
    if let file = invocation.word(of: "plan") { given.append(.plan(file)) }
    if invocation.has("digest"), !invocation.has("plan") { throw UsageError("--digest requires --plan FILE") }
    guard given.count <= 1 else {
      throw UsageError(
        "a number, --commands, --writes, --since, --entry and --plan cannot be combined")
    }
    self = given.first ?? .commands(1)
  }
}
