/// What is asked of whoever sits at the terminal.
public struct LineRequest: Sendable {
  /// What stands before the line; rows above its last are printed once.
  public var prompt: String
  /// What the line holds at the beginning.
  public var text = ""
  /// Whether the text goes through the user's editor first.
  public var beginsInEditor = false
  /// Whether it is a command: with history, suggestions, completion and rows that continue it. An answer has none of
  /// these.
  public var isCommand = true

  /// A request for a command, on an empty line.
  public init(prompt: String) { self.prompt = prompt }
}
