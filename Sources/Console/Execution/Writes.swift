import BackendClient
import BackendKit

/// Receives the writes of a command instead of the server.
protocol PlanSink: AnyObject {
  func add(_ part: WritePlan.Part, _ invocation: Invocation, _ ports: CommandContext) async throws
  /// Adds one write of a script. `before` is the record that it changes; `new` names the identifier of a new one.
  func add(
    _ write: Write, before: JournalImage?, new: String?, from origin: WriteOrigin, at place: WritePlace,
    _ ports: CommandContext
  ) throws
}

final class Writes {
  /// Receives the writes instead of the server; nil if they are sent.
  let plan: (any PlanSink)?
  /// The line of the command as written, for the journal.
  let line: String
  /// The unknown fields that were reported; nil if the command permits new fields.
  var newFields: Set<String>?
  /// True if unknown records are read before they are written, so that the write can be undone.
  let readsPrevious: Bool
  let isRetried: Bool
  /// True to wait for a write that the service performs later.
  let waitsForJobs: Bool
  /// The format of the file of `--rejects`, as that of the input.
  lazy var rejects = RejectsForm()
  private var number: Int64?
  /// The notes printed so far: one for many records is printed once.
  var notes: Set<String> = []
  /// The effect of the writes, for the log.
  var tally = CommandTally()
  /// The outcomes of the rows, for the summary of the run.
  var rows = BulkTally()

  init(
    plan: (any PlanSink)? = nil, line: String = "", newFields: Set<String>? = [], readsPrevious: Bool = false,
    isRetried: Bool = false, waitsForJobs: Bool = true
  ) {
    self.plan = plan
    self.line = line
    self.newFields = newFields
    self.readsPrevious = readsPrevious
    self.isRetried = isRetried
    self.waitsForJobs = waitsForJobs
  }

  /// The number of the command among those of the run that write; nil without a journal.
  func step(_ journal: Journal?) -> Int64? {
    number = number ?? journal?.nextStep()
    return number
  }
}
