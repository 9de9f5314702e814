/// Takes the writes of a command in place of the server.
protocol PlanSink: AnyObject {
  /// Adds writes of one backend.
  func add(_ part: WritePlan.Part, _ invocation: Invocation, _ ports: CommandContext) async throws
}

/// Sends the writes of a command, and tracks them.
final class Writes {
  /// Takes them in place of the server; nil if they are sent.
  let plan: (any PlanSink)?
  /// The line of the command as it stands in its source, for the journal.
  let line: String
  /// The fields nobody knows that were told of; nil if the command says that it means them.
  var newFields: Set<String>?
  /// True if a record is read before it is written, unless it is known, so that the write can be undone.
  let readsPrevious: Bool
  /// True if the command is retried after a failure.
  let isRetried: Bool
  /// True to wait for a write that the service performs later.
  let waitsForJobs: Bool
  /// The form of the file of `--rejects`: that of the input.
  var rejects = RejectsForm()
  /// The number of the command among those of the run that write; nil before its first write.
  private var number: Int64?
  /// The notes printed so far: one that applies to many is printed only once.
  var notes: Set<String> = []
  /// Their effect, for the log.
  var tally = CommandTally()
  /// The outcomes of the rows, for the summary of the run.
  var rows = BulkTally()

  /// The writes of a command before its first.
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

  /// The number of the command among those of the run that write.
  func step(_ journal: Journal?) -> Int64? {
    number = number ?? journal?.nextStep()
    return number
  }
}
