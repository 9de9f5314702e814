internal import Glibc

/// A path whose links were followed one by one, so that each can be checked: the owner of a link decides where it
/// leads.
package struct ResolvedPath: Sendable {
  package struct Link: Sendable {
    package let path: String
    package let owner: UInt32
  }

  /// The path without links and dots. The file need not exist; its folder does.
  package private(set) var path = "/"
  /// The links that were followed, in order.
  package private(set) var links: [Link] = []

  /// Follows the path of a file. Throws if one of its folders does not exist or links form a cycle.
  package init(_ path: String) throws(FileFailure) {
    if path.isEmpty || path.hasSuffix("/") { throw .isFolder }
    var rest = Self.parts(path)
    if !path.hasPrefix("/") { rest = Self.parts(try Path.current()) + rest }
    rest.reverse()
    while let part = rest.popLast() {
      if part == ".." {
        self.path = Path.folder(of: self.path)
        continue
      }
      let next = Path.join(self.path, part)
      var status = stat()
      guard lstat(next, &status) == 0 else {
        guard errno == ENOENT, rest.isEmpty else { throw .system }
        self.path = next
        return
      }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        self.path = next
        continue
      }
      guard links.count < 40 else {
        errno = ELOOP
        throw .system
      }
      links.append(Link(path: next, owner: status.st_uid))
      guard let target = Path.target(ofLink: next) else {
        throw FileFailure("the link \(next) leads to a name that is not valid UTF-8, or cannot be read")
      }
      if target.hasPrefix("/") { self.path = "/" }
      rest += Self.parts(target).reversed()
    }
  }

  /// The first link of another user, who can redirect it, whoever may write to its folder.
  package var foreignLink: Link? { links.first { !Permissions.trustedOwners.contains($0.owner) } }

  /// The first link that another user may have planted: it is another user's, in a folder that others may write to.
  package var plantedLink: Link? {
    links.first { link in
      if Permissions.trustedOwners.contains(link.owner) { return false }
      return Permissions(path: Path.folder(of: link.path)).map { !$0.isClosedToOthers } ?? true
    }
  }

  /// The refusal of a path that leads over such a link; nil if it does not.
  fileprivate var plantedFailure: FileFailure? {
    plantedLink.map { link in
      FileFailure(
        "\(link.path) is a symbolic link owned by another user (\(link.owner)) in a folder that others may write to")
    }
  }

  /// The reason why a file to be read may not be the intended one, as a clause; nil if there is none.
  package static func obstacle(toReading path: String) -> String? {
    (try? ResolvedPath(path))?.plantedFailure?.reason
  }

  /// Opens the folder of the path. Operations relative to it take place there, whatever happens to the path. Throws if
  /// a link on the way may be another user's, or if the folder was replaced since the path was followed.
  func openFolder() throws(FileFailure) -> Int32 {
    if let failure = plantedFailure { throw failure }
    let place = Path.folder(of: path)
    let folder = open(place, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .system }
    guard Path.target(ofLink: "/proc/self/fd/\(folder)") ?? Path.real(place) == place else {
      close(folder)
      throw FileFailure("the folder \(place) was replaced in the meantime")
    }
    return folder
  }

  /// O_PATH, which the module of the C library hides: a writable folder need not be readable.
  private static let pathOnly: Int32 = 0o10_000_000

  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }
}
