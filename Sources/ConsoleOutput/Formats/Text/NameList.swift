package enum NameList {
  /// The maximum number that is written out.
  package static let limit = 20

  /// The names, separated by commas; of many the first, and the number of others.
  package static func text(_ names: some Collection<String>, most: Int = limit) -> String {
    let shown = names.prefix(most).joined(separator: ", ")
    return names.count > most ? shown + " and \(names.count - most) more" : shown
  }
}

extension String {
  /// The text, or its beginning with `…` if it has more characters.
  package func shortened(to most: Int) -> String { count > most ? prefix(most) + "…" : self }
}

extension [String] {
  /// The words as alternatives: `bash, zsh or fish`.
  package var asChoice: String {
    let head = dropLast().joined(separator: ", ")
    return (head.isEmpty ? "" : "\(head) or ") + (last ?? "")
  }
}
