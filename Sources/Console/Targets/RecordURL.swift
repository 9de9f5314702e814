import BackendKit

/// An address that a record shows, given in the place of its identifier. Nothing is ever sent to it.
enum RecordURL {
  /// Returns whether a text looks like an address: that of a web server, or a path from its root.
  static func looksLikeOne(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) } || text.hasPrefix("/")
  }

  /// The last part of an address, decoded; nil where it has none, and where a query or a fragment follows.
  static func lastPart(_ text: String) -> String? {
    guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { return nil }
    guard let path = Link.rootPath(text), !path.hasSuffix("/") else { return nil }
    return Link.lastPart(path)
  }
}
