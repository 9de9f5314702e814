import BackendKit

/// The address of a record, given instead of its identifier. It is only compared, never requested.
enum RecordURL {
  /// Returns whether a text looks like an address: of a web server, or an absolute path.
  static func looksLikeOne(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) } || text.hasPrefix("/")
  }

  /// The decoded last part of an address; nil without one, or if a query or fragment follows.
  static func lastPart(_ text: String) -> String? {
    guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { return nil }
    guard let path = Link.rootPath(text), !path.hasSuffix("/") else { return nil }
    return Link.lastPart(path)
  }
}
