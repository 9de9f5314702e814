import CommandLanguage

struct CommandExecution {
  enum Destination: Sendable {
    case output
    case file
    case addition
    case program
  }

  /// The row; nil before the first command.
  var command: Command?
  /// The line as written in its source.
  var text = ""
  var words: [Word] = []
  /// The source; nil between commands.
  var source: (any LineSource)?
  /// The name of the script or stream; nil at a terminal.
  var file: String?
  /// The line number; 0 without one.
  var line = 0
  /// Measures its time; nil before the first command.
  var timer: CommandTimer?
  var target: Target?
  var tally = CommandTally()
  var destination = Destination.output
  /// Receives the records instead of the output; nil if they are shown.
  var rows: RowBuffer?
  /// Receives the writes instead of the server; nil if they are sent.
  var plan: (any PlanSink)?
  var writes = Writes()
  var result = CommandResult()
  /// True if an interruption has truncated the result.
  var isResultCut = false
}
