package enum NameList {
  /// The maximum number that is written out.
  static let limit = 20

  /// The names, separated by commas; of many the first, and the number of others.
  package static func text(_ names: some Collection<String>) -> String {
    let shown = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? shown + " and \(names.count - limit) more" : shown
  }
}

extension [String] {
  /// The words as alternatives: `bash, zsh or fish`.
  package var asChoice: String {
    let head = dropLast().joined(separator: ", ")
    return (head.isEmpty ? "" : "\(head) or ") + (last ?? "")
  }
}
