/// A key pressed while a screen is shown, or another reason to look at it.
public enum ScreenKey: Sendable, Equatable {
  /// A visible character, or a space.
  case character(Character)
  /// Control with a letter, in lower case.
  case control(Character)
  case enter, tab, backTab, backspace, delete, escape
  case up, down, left, right, pageUp, pageDown, home, end
  /// A pasted text, without control characters except newlines and tabs.
  case paste(String)
  /// The window has another size, or was covered by something else.
  case resized
  /// Nothing can be read any more; no key follows.
  case closed
}
