internal import Glibc
internal import Synchronization

/// The owner and mode of a file or folder.
package struct Permissions: Sendable, Hashable {
  private let mode: mode_t
  package let owner: UInt32
  private let group: gid_t

  /// Those of the file at a path, links followed; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
  }

  /// True if it is a regular file and not a folder, pipe or device.
  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  /// True if its owner has made it read-only.
  package var isReadOnly: Bool { mode & 0o200 == 0 }
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  /// True if only the owner of an entry may remove or replace it, as in /tmp.
  package var isSticky: Bool { mode & S_ISVTX != 0 }
  package var isExecutable: Bool { mode & 0o111 != 0 }
  /// True if users other than the owner may read it.
  package var isReadableByOthers: Bool { mode & 0o077 != 0 }

  /// True if users other than the owner may write to it. A private group does not count: many systems give every user
  /// one with write access.
  package var isWritableByOthers: Bool {
    if mode & 0o002 != 0 { return true }
    return mode & 0o020 != 0 && !PrivateGroups.contain(group, of: owner)
  }

  /// True if only the user who runs this process can change it.
  package var isClosedToOthers: Bool { isOwnedByUser && !isWritableByOthers }

  /// The permission bits in octal, for example `0644`.
  package var octal: String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension Permissions {
  /// The trusted owners: the current user, root, and the owner of the program itself, who could change its behavior
  /// anyway.
  package static let trustedOwners: Set<UInt32> = {
    var program = stat()
    let isKnown = stat("/proc/self/exe", &program) == 0
    return Set([0, geteuid()] + (isKnown ? [program.st_uid] : []))
  }()

  /// True if it belongs to a trusted owner.
  package var isOwnedByUser: Bool { Self.trustedOwners.contains(owner) }

  /// The reason why its content may be another user's, or nil if it is the user's own.
  package var problem: String? {
    if !isRegularFile { return (isFolder ? FileFailure.isFolder : .isNoFile).reason }
    if !isOwnedByUser { return FileFailure.foreign(owner).reason }
    return isWritableByOthers ? "it is writable by others (mode \(octal)); chmod go-w" : nil
  }
}

/// The private groups: no member but the owner of a file, and the primary group of no other user.
private enum PrivateGroups {
  // The list of all users is one cursor for the whole process.
  private static let database = Mutex(())

  static func contain(_ group: gid_t, of owner: uid_t) -> Bool {
    database.withLock { _ in
      guard let entry = getgrgid(group) else { return false }
      var members: Set<String> = []
      var member = entry.pointee.gr_mem
      while let place = member, let name = place.pointee {
        members.insert(String(cString: name))
        member = place.advanced(by: 1)
      }
      setpwent()
      defer { endpwent() }
      while let user = getpwent() {
        if user.pointee.pw_uid == owner {
          members.remove(String(cString: user.pointee.pw_name))
        } else if user.pointee.pw_gid == group {
          return false
        }
      }
      return members.isEmpty
    }
  }
}
