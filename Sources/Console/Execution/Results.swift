import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The result of a command for those after it.
final class CommandResult {
  /// The records for `again` and `open`; nil if none were shown.
  var records: LastResult?
  /// The list that a person has on the screen now; nil if the command shows none.
  var list: ShownList?
  /// True if it shows other rows, so that no list is on the screen any more.
  var coversList = false
  /// The value of `$last`; nil if the command has none.
  var value: ScriptResult?
  /// The number of records, for the log.
  var count: Int?
  /// True if an interruption has cut the result short.
  var isCut = false
  /// The changes of the session, in this order; they hold even if the command fails afterwards.
  var changes: [SessionChange] = []
}

/// The destination of a command's results.
struct Results {
  let output: Output
  let destination: CommandExecution.Destination
  /// Takes records in place of the output; nil where they are shown.
  let rows: RowBuffer?
  /// The format that is set for all results; nil leaves it to the command.
  let format: OutputFormat?
  let display: DisplaySettings
  let isInteractive: Bool
  let console: ConsoleContext
  let interruption: Interruption
  /// The data for completion; nil if there is no user typing.
  let knowledge: CompletionContext?
  let reporter: Reporter
  /// The result for later commands.
  let result: CommandResult

  /// True if the result is used instead of shown: by a script, in a file, by another program.
  var isUsed: Bool { rows != nil || destination != .output }

  /// The colors of results.
  var theme: Theme {
    Theme.chosen(display.theme, use: display.color, environment: console.environment, isTerminal: output.isTerminal)
  }

  /// The maximum number of records of a result that are kept.
  var keptRecords: Int { isInteractive ? LastResult.limits.interactive : LastResult.limits.script }

  /// Keeps what is shown, as far as there is room for it.
  func keep(_ records: [Record], isWhole: Bool = true, count: Int? = nil, _ presentation: Presentation) {
    result.value = .records(records, count: count ?? records.count, isSingle: presentation.isSingle)
    result.records = LastResult(
      records: records.count > keptRecords ? Array(records.prefix(keptRecords)) : records,
      isWhole: isWhole && records.count <= keptRecords, fields: presentation.fields, columns: presentation.columns,
      related: presentation.related, isSingle: presentation.isSingle)
  }

  /// Tells completion of records that were shown.
  func saw(_ records: [Record], of target: Target) {
    knowledge?.learn(records, of: target.client.name, target.path)
  }

  /// Lets a pager show what is printed, where that is higher than the window.
  func page() {
    guard isInteractive, output.isTerminal else { return }
    if let pager = Pager(display.pager, environment: console.children, interruption: interruption) {
      output.beginPage(pager)
    }
  }
}
