/// Where the writes of a command go, and what is known of them.
final class Writes {
  /// Takes them in place of the server; nil if they are sent.
  let plan: PlanDraft?
  /// The line of the command as it stands in its source, for the journal.
  let line: String
  /// The fields nobody knows that were told of; nil if the command says that it means them.
  var newFields: Set<String>?
  /// Whether a record is read before it is written, unless it is known, so that the write can be taken back.
  let readsPrevious: Bool
  /// Whether the command is tried again if it fails.
  let isRetried: Bool
  /// Whether a write is awaited that the service does later.
  let waitsForJobs: Bool
  /// The form of the file of `--rejects`: that of the input.
  var rejects = RejectsForm()
  /// The number of the command among those of the run that write; nil before its first write.
  private var number: Int64?
  /// What was noted: what is so of each of many is said once.
  var notes: Set<String> = []
  /// Their effect, for the log.
  var tally = CommandTally()
  /// What became of the rows, for the summary of the run.
  var rows = BulkTally()

  /// The writes of a command before its first.
  init(
    plan: PlanDraft? = nil, line: String = "", newFields: Set<String>? = [], readsPrevious: Bool = false,
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
