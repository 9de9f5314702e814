/// A request for one line from the user at the terminal.
public struct LineRequest: Sendable {
  /// The prompt before the line; rows above its last are printed once.
  public var prompt: String
  /// The initial text of the line.
  public var text = ""
  /// True if the text goes through the user's editor first.
  public var beginsInEditor = false
  /// True if it is a command: with history, suggestions, completion and continuation rows. An answer has none of these.
  public var isCommand = true

  /// A request for a command, on an empty line.
  public init(prompt: String) { self.prompt = prompt }
}
