/// The rest of an earlier line that begins like the one being typed.
struct Suggestion: Equatable {
  /// The text after what was typed so far.
  let rest: String

  /// The rest of the newest entry that begins with `typed`; nil if there is none.
  init?(for typed: String, in entries: [String]) {
    let start = typed.utf8
    guard !typed.isEmpty,
      let entry = entries.last(where: { $0.utf8.count > start.count && $0.utf8.starts(with: start) })
    else { return nil }
    rest = String(decoding: entry.utf8.dropFirst(start.count), as: UTF8.self)
  }

  /// The text up to the end of the next word.
  var word: String {
    let blanks = rest.prefix { $0.isWhitespace }
    return String(blanks + rest.dropFirst(blanks.count).prefix { !$0.isWhitespace })
  }
}
