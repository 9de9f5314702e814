internal import Glibc

/// The reason why a file cannot be read or written, as one clause.
package struct FileFailure: Error, Sendable, Hashable {
  /// The clause, without a full stop.
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  package static let isFolder = FileFailure("it is a folder")
  package static let isNoFile = FileFailure("it is not a regular file")

  package static let isUnnamed = FileFailure("the name of its folder is not valid UTF-8")

  /// The file belongs to another user, who could change it at any time.
  package static func foreign(_ owner: UInt32) -> FileFailure {
    FileFailure("it belongs to another user (\(owner))")
  }

  /// A link on the way belongs to another user, who could redirect it at any time.
  package static func foreign(_ link: ResolvedPath.Link) -> FileFailure {
    FileFailure("\(link.path) is a symbolic link owned by another user (\(link.owner))")
  }

  /// The most recent system error.
  package static var system: FileFailure { FileFailure(String(cString: strerror(errno))) }
}
