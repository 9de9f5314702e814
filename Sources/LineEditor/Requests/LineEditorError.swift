/// The reason why there is no line editor.
public enum LineEditorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Input or output is not a terminal.
  case notATerminal
  /// The system provided no pipe, thread or memory.
  case unavailable(String)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .notATerminal: "standard input and output are not both a terminal; lines cannot be edited"
    case .unavailable(let reason): "the line editor could not start: \(reason)"
    }
  }
}
