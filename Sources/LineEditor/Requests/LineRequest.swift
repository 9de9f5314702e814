/// A request for one line from the user at the terminal.
public struct LineRequest: Sendable {
  /// The prompt before the line; rows above its last are printed once.
  public var prompt: String
  /// The initial text of the line.
  public var text = ""
  /// True if the text is first opened in the user's editor.
  public var beginsInEditor = false
  /// True for a command: with history, suggestions, completion and continuation rows, which answers to questions do not
  /// have.
  public var isCommand = true

  /// A request for a command, on an empty line.
  public init(prompt: String) { self.prompt = prompt }
}
