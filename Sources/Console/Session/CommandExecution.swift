/// What belongs to one command while it is run.
struct CommandExecution {
  /// Where the result of a command goes.
  enum Destination: Sendable {
    /// Standard output.
    case output
    /// A file that it replaces.
    case file
    /// A file that it is added to.
    case addition
    /// The standard input of another program.
    case program
  }

  /// The command's row; nil before any was run.
  var command: Command?
  /// Its line as it stands in its source.
  var text = ""
  /// Its words.
  var words: [Word] = []
  /// The source that it came from; nil between commands.
  var source: (any LineSource)?
  /// The name of the file or stream that it stands in; nil at a terminal.
  var file: String?
  /// Its line in its source; 0 where that has none.
  var line = 0
  /// How long it takes; nil before any was run.
  var timer: CommandTimer?
  /// What it works on; nil where it took no target.
  var target: Target?
  /// What is known of it, for the log.
  var tally = CommandTally()
  /// Where its result goes.
  var destination = Destination.output
  /// Takes its records in place of the output; nil where they are shown.
  var rows: RowSpool?
  /// Takes its writes in place of the server; nil where they are sent.
  var plan: PlanDraft?
  /// What is known of its writes.
  var writes = Writes()
  /// What its result comes to.
  var result = CommandResult()
  /// Whether an interruption has cut its result short.
  var isResultCut = false
}
