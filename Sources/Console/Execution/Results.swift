import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

final class CommandResult {
  /// The records for `again` and `open`; nil if none were shown.
  var records: LastResult?
  /// The list on the screen; nil if the command shows none.
  var list: ShownList?
  /// True if the command shows other rows, so that the last list is no longer on the screen.
  var coversList = false
  var value: ScriptResult?
  var count: Int?
  /// True if an interruption has truncated the result.
  var isCut = false
  /// The changes of the session, in order; they are applied even if the command fails afterwards.
  var changes: [SessionChange] = []
}

struct Results {
  let output: Output
  let destination: CommandExecution.Destination
  /// Receives the records instead of the output; nil if they are shown.
  let rows: RowBuffer?
  /// The format set for all results; nil leaves it to the command.
  let format: OutputFormat?
  let display: DisplaySettings
  let isInteractive: Bool
  let console: ConsoleContext
  let interruption: Interruption
  /// The data for completion; nil without a user at a terminal.
  let knowledge: CompletionContext?
  let reporter: Reporter
  let result: CommandResult

  /// True if the result is used instead of shown: by a script, a file or another program.
  var isUsed: Bool { rows != nil || destination != .output }

  var theme: Theme {
    Theme.chosen(display.theme, use: display.color, environment: console.environment, isTerminal: output.isTerminal)
  }

  var keptRecords: Int { isInteractive ? LastResult.limits.interactive : LastResult.limits.script }

  /// Keeps the shown records, up to the limit.
  func keep(_ records: [Record], isWhole: Bool = true, count: Int? = nil, _ presentation: Presentation) {
    result.value = .records(records, count: count ?? records.count, isSingle: presentation.isSingle)
    result.records = LastResult(
      records: records.count > keptRecords ? Array(records.prefix(keptRecords)) : records,
      isWhole: isWhole && records.count <= keptRecords, fields: presentation.fields, columns: presentation.columns,
      related: presentation.related, isSingle: presentation.isSingle)
  }

  func saw(_ records: [Record], of target: Target) {
    knowledge?.learn(records, of: target.client.name, target.path)
  }

  /// Starts a pager if the output is higher than the window.
  func page() {
    guard isInteractive, output.isTerminal else { return }
    if let pager = Pager(display.pager, environment: console.children, interruption: interruption) {
      output.beginPage(pager)
    }
  }
}

/// The records shown last, for `again` and `open` without a request.
struct LastResult: Sendable {
  /// The maximum number of records kept, at a terminal and in a script, which rarely needs them.
  static let limits = (interactive: 5_000, script: 100)

  var records: [Record]
  /// True if these are all records that were shown.
  var isWhole = true
  var fields: [FieldDescription]
  /// The requested fields; nil for those that the records have.
  var columns: [FieldPath]?
  var related: [RelatedMember]
  /// True if the result is a single record by nature.
  var isSingle: Bool
}
