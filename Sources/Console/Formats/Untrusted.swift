/// A text from outside, for example a server's error message. Whoever prints it prints its visible form.
struct Untrusted: Hashable, Sendable, CustomStringConvertible {
  /// The text as it came.
  let text: String

  /// A text from outside.
  init(_ text: String) { self.text = text }

  /// The text fit to be shown, on one line.
  var description: String { Visible.text(text) }
}
