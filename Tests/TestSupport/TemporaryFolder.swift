import Foundation

/// A folder of a test's own that only its owner may enter, gone with this value.
public final class TemporaryFolder: Sendable {
  /// The path, links resolved.
  public let path: String

  /// An empty folder.
  public init() throws {
    path = "/tmp/switchboard-test-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, its folders made where they are missing, and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
    let file = path + "/" + name
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    try setMode(mode, of: name)
    return file
  }

  /// Makes a folder and returns its path.
  public func makeFolder(_ name: String, mode: Int = 0o700) throws -> String {
    let folder = path + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try setMode(mode, of: name)
    return folder
  }

  /// Changes the permissions of something in the folder.
  public func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
  }

  /// Gives something in the folder to another user and group; only root may.
  public func setOwner(_ owner: Int, group: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: owner, .groupOwnerAccountID: group], ofItemAtPath: path + "/" + name)
  }

  /// The text of a file in the folder; nil where it cannot be read.
  public func text(of name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }

  /// Returns true if the folder contains an entry with this name.
  public func holds(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
}
