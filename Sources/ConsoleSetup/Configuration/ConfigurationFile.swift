package import BackendKit
import Files

/// A parsed configuration file, not yet checked.
package struct ConfigurationFile: Sendable {
  /// The file's name for messages.
  var shown: String
  /// The file that was read, links resolved.
  var path: String
  /// The folder that relative paths in it start from: the real one, so that a link elsewhere does not change their
  /// meaning.
  var folder: String
  package var bytes: [UInt8]
  package var root: LocatedValue

  /// Reads a file; nil if there is none. Throws if it cannot be read, is not JSON, belongs to another user, or is
  /// writable by others.
  package static func open(_ path: String, shown: String) throws(ConfigurationError) -> ConfigurationFile? {
    guard let content = try read(path, shown: shown) else { return nil }
    guard content.permissions.isOwnedByUser else {
      throw ConfigurationError(
        ConfigurationPlace(file: shown), FileFailure.foreign(content.permissions.owner).reason,
        hint: "copy it, or take ownership of it: its owner can change it")
    }
    try check(content, shown: shown)
    return try ConfigurationFile(content, shown: shown)
  }

  /// Reads `config.json` of the current folder, which counts only if it has the console's marker: nil if there is no
  /// file, a notice if it belongs to another user.
  static func openInFolder(
    _ path: String, shown: String
  ) throws(ConfigurationError) -> (file: ConfigurationFile?, notice: String?) {
    // Anything but a file cannot be meant for this console.
    if case .failure(let failure)? = OwnedFile.read(path), [.isFolder, .isNoFile].contains(failure) {
      return (nil, "\(shown) is ignored: \(failure.reason)")
    }
    guard let content = try read(path, shown: shown) else { return (nil, nil) }
    guard content.permissions.isOwnedByUser else {
      return (nil, "\(shown) is ignored: \(FileFailure.foreign(content.permissions.owner).reason)")
    }
    let ignored = "\(shown) is ignored: it has no \"switchboard\": 1"
    let parsed = Result { try JSONReader.read(content.bytes) }
    switch parsed {
    case .success(let value) where value.object?["switchboard"] == nil: return (nil, ignored)
    case .failure where !mentionsMarker(content.bytes): return (nil, ignored)
    default: break
    }
    try check(content, shown: shown)
    return (try ConfigurationFile(content, shown: shown), nil)
  }

  private init(_ content: OwnedFile, shown: String) throws(ConfigurationError) {
    try self.init(content.bytes, shown: shown, path: content.path)
  }

  /// A configuration that is not in a file.
  init(_ document: Object, shown: String) throws(ConfigurationError) {
    try self.init(Array(JSONWriter.compact(.object(document)).utf8), shown: shown, path: "/")
  }

  /// A configuration that is not written to its file yet; relative paths in it start from the folder of `path`.
  package init(_ bytes: [UInt8], shown: String, path: String) throws(ConfigurationError) {
    self.bytes = bytes
    self.shown = shown
    self.path = path
    folder = Path.folder(of: path)
    do { root = try LocatingScanner.scan(bytes) } catch {
      let isEmpty = bytes.allSatisfy { " \t\r\n".utf8.contains($0) }
      throw ConfigurationError(
        ConfigurationPlace(file: shown, line: error.place.line, path: error.path.joined(separator: ".")),
        error.message, hint: isEmpty ? "the smallest configuration: {\"switchboard\": 1}" : error.hint)
    }
  }

  private static func read(_ path: String, shown: String) throws(ConfigurationError) -> OwnedFile? {
    switch OwnedFile.read(path) {
    case nil: return nil
    case .success(let content): return content
    case .failure(let failure):
      throw ConfigurationError(
        ConfigurationPlace(file: shown), "it cannot be read: \(failure.reason)",
        hint: failure == .isFolder ? "name a file, for example \(shown)/config.json" : nil)
    }
  }

  private static func check(_ content: OwnedFile, shown: String) throws(ConfigurationError) {
    guard !content.permissions.isWritableByOthers else {
      throw ConfigurationError(
        ConfigurationPlace(file: shown), "it is writable by others (mode \(content.permissions.octal))",
        hint: "review it, then chmod go-w \(shown)")
    }
    if let problem = content.linkProblem {
      throw ConfigurationError(ConfigurationPlace(file: shown), problem, hint: "name the file itself")
    }
  }

  /// Returns whether a text that is not JSON was still meant for the console.
  private static func mentionsMarker(_ bytes: [UInt8]) -> Bool {
    let marker = Array("\"switchboard\"".utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: marker) }
  }
}
