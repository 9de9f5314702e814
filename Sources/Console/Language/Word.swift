/// One word of a command, its quotes and escapes resolved.
struct Word: Hashable, Sendable {
  /// The text.
  var text: String
  /// Whether any part of it was quoted.
  var isQuoted: Bool
  /// Where the word begins in its line: 1-based, in characters.
  var column: Int
  /// Whether its first character was quoted or escaped, so that a leading `-` makes no option of it.
  var startsQuoted: Bool

  /// A word; unless said otherwise, a quoted word is quoted from its first character on.
  init(text: String, isQuoted: Bool, column: Int, startsQuoted: Bool? = nil) {
    self.text = text
    self.isQuoted = isQuoted
    self.column = column
    self.startsQuoted = startsQuoted ?? isQuoted
  }
}
