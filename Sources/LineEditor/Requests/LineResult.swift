/// The result of reading one line.
public enum LineResult: Sendable, Equatable {
  /// A line, without its line end. Contains newlines if it was typed in several rows, pasted or edited so.
  case line(String)
  /// Control-C: the text was discarded.
  case interrupted
  /// Control-D on an empty line, a terminal that hung up, or an editor that was closed.
  case endOfFile
}
