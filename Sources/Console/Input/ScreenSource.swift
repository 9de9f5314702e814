package import ConsoleOutput
package import ConsoleScreen

/// A source whose terminal a command can take as a screen.
package protocol ScreenSource {
  /// Takes the terminal; nil if it cannot show a screen. Between that and `close` nothing else writes to it.
  func openScreen(_ theme: Theme) async -> (any Screen)?
}

extension LineSource {
  /// Takes the terminal as a screen; nil if there is none.
  package func openScreen(_ theme: Theme) async -> (any Screen)? {
    await (self as? any ScreenSource)?.openScreen(theme)
  }
}
