/// A key pressed while a screen is shown, or another reason to look at it. The editor reads it from the terminal, and the
/// console, which has none, takes it.
public enum ScreenKey: Sendable, Hashable {
  /// A visible character, or a space.
  case character(Character)
  /// Control with a letter, in lower case: `control("c")`.
  case control(Character)
  case enter, tab, backTab, backspace, delete, escape
  case up, down, left, right, pageUp, pageDown, home, end
  /// A pasted text in one line, without control characters.
  case paste(String)
  /// The window has another size, or was covered by something else: it must be shown again.
  case resized
  /// Nothing can be read anymore: the terminal is gone, or the process ends. No key follows.
  case closed
}
