/// How reading one line ended.
public enum LineResult: Sendable, Equatable {
  /// A line, without its line end. Pasted text may hold newlines: each is a line of its own.
  case line(String)
  /// Control-C: the text was given up.
  case interrupted
  /// Control-D on an empty line, a terminal that hung up, or an editor that was closed.
  case endOfFile
}
