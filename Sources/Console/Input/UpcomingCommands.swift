import CommandLanguage

/// A source that knows commands before their turn. A terminal's line is never there before it was typed.
protocol UpcomingCommands {
  /// The words of the next commands, as far as they are there without waiting and say the same whenever they are run; at
  /// most so many, and none behind one that is not such a command.
  func upcoming(_ count: Int) -> [[Word]]
}

extension LineSource {
  /// The words of the next commands where the source knows them, at most so many.
  func upcoming(_ count: Int) -> [[Word]] { (self as? any UpcomingCommands)?.upcoming(count) ?? [] }
}
