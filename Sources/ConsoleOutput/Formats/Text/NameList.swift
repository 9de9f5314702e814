/// Names in a message.
package enum NameList {
  /// The most that are written out.
  static let limit = 20

  /// The names one after the other; of many the first, and how many more there are.
  package static func text(_ names: some Collection<String>) -> String {
    let shown = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? shown + " and \(names.count - limit) more" : shown
  }
}

extension [String] {
  /// Words of which one is meant: `bash, zsh or fish`.
  package var asChoice: String {
    let head = dropLast().joined(separator: ", ")
    return (head.isEmpty ? "" : "\(head) or ") + (last ?? "")
  }
}
