import CommandLanguage

/// The state of one command while it runs.
struct CommandExecution {
  /// The destination of a command's result.
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
  /// The time it takes; nil before any was run.
  var timer: CommandTimer?
  /// Its target; nil if it took none.
  var target: Target?
  /// Data about it for the log.
  var tally = CommandTally()
  /// The destination of its result.
  var destination = Destination.output
  /// Takes its records in place of the output; nil where they are shown.
  var rows: RowBuffer?
  /// Takes its writes in place of the server; nil where they are sent.
  var plan: (any PlanSink)?
  /// Its writes so far.
  var writes = Writes()
  /// Its result.
  var result = CommandResult()
  /// True if an interruption has cut its result short.
  var isResultCut = false
}
