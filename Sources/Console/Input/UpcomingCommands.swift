import CommandLanguage

/// A source that can know commands before their turn. A terminal cannot.
protocol UpcomingCommands {
  /// The words of at most this many next commands that are available without waiting and mean the same whenever they
  /// are run. Ends before the first command that is not such.
  func upcoming(_ count: Int) -> [[Word]]
}

extension LineSource {
  /// The words of at most this many next commands, if the source knows them.
  func upcoming(_ count: Int) -> [[Word]] { (self as? any UpcomingCommands)?.upcoming(count) ?? [] }
}
