internal import Glibc

/// The one way to use a folder that only the user may read and change: the state folder, and those in it.
package enum OwnedFolder {
  /// Creates the folder of a file if missing, and checks it together with its parent, since others with write access
  /// there can replace it. Read access of others to the folder itself is removed.
  ///
  /// Throws if one of them belongs to another user or others may write to it, and if a link on the way belongs to
  /// another user.
  package static func prepare(of path: String) throws(FileFailure) {
    if let link = foreignLink(on: path) { throw .foreign(link) }
    // Nothing is created in a folder that is refused.
    let parent = Path.folder(of: Path.folder(of: path))
    if Permissions(path: parent) != nil { try check(part: parent, isOwn: false) }
    try OwnedFile.makeFolder(of: path)
    try check(of: path)
  }

  /// Creates the folder of a file and checks it alone, for one whose parent holds files of other programs.
  package static func prepareAlone(of path: String) throws(FileFailure) {
    if let link = foreignLink(on: path) { throw .foreign(link) }
    try OwnedFile.makeFolder(of: path)
    try check(part: Path.folder(of: path))
  }

  /// Checks only the folder of a file, if it exists.
  package static func checkAlone(of path: String) throws(FileFailure) {
    if let link = foreignLink(on: path) { throw .foreign(link) }
    let folder = Path.folder(of: path)
    if Permissions(path: folder) != nil { try check(part: folder) }
  }

  /// The first link of another user on the existing part of the path.
  private static func foreignLink(on path: String) -> ResolvedPath.Link? {
    var path = path
    while path.count > 1 {
      if let resolved = try? ResolvedPath(path) { return resolved.foreignLink }
      path = Path.folder(of: path)
    }
    return nil
  }

  /// Checks the folder of a file together with its parent, if they exist.
  package static func check(of path: String) throws(FileFailure) {
    let folder = Path.folder(of: path)
    guard Permissions(path: folder) != nil else { return }
    if let link = try ResolvedPath(path).foreignLink { throw .foreign(link) }
    let parent = Path.folder(of: folder)
    try check(part: parent, isOwn: parent.hasSuffix("/switchboard"))
    try check(part: folder)
  }

  /// Checks one folder. Read access is removed only from our own: others may use what is next to it.
  private static func check(part: String, isOwn: Bool = true) throws(FileFailure) {
    guard let found = Permissions(path: part), found.isFolder else { throw FileFailure("\(part) is not a folder") }
    guard found.isClosedToOthers else {
      throw FileFailure(
        found.isOwnedByUser
          ? "\(part) is accessible to others (mode \(found.octal)); chmod 700 \(part)"
          : "\(part) belongs to another user (\(found.owner))")
    }
    if isOwn, found.isReadableByOthers, chmod(part, 0o700) != 0 { throw .system }
  }
}
