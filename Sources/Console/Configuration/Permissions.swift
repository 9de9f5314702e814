import Glibc

/// Whose a file or folder is, and who may change it.
struct Permissions: Sendable, Hashable {
  private let mode: mode_t
  /// The owner.
  let owner: uid_t
  private let group: gid_t

  /// Those of what stands at a path, links followed; nil where nothing does.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Those of an open file.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
  }

  /// Whether it is a file and no folder, pipe or device.
  var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  /// Whether it is a folder.
  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  /// Whether only the owner of an entry may take it away or replace it, as in /tmp.
  var isSticky: Bool { mode & S_ISVTX != 0 }
  /// Whether users other than the owner may read it.
  var isReadableByOthers: Bool { mode & 0o077 != 0 }

  /// Whether users other than the owner may write to it. A group that holds nobody but the owner does not count: many
  /// systems give every user one and let it write.
  var isWritableByOthers: Bool {
    if mode & 0o002 != 0 { return true }
    return mode & 0o020 != 0 && !isPrivateGroup
  }

  /// The permission bits as they are written, for example `0644`.
  var octal: String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  private var isPrivateGroup: Bool {
    var text = [CChar](repeating: 0, count: 1 << 14)
    var user = passwd()
    var foundUser: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(owner, &user, &text, text.count, &foundUser) == 0, foundUser != nil, user.pw_gid == group
    else { return false }
    let name = String(cString: user.pw_name)
    var entry = Glibc.group()
    var foundGroup: UnsafeMutablePointer<Glibc.group>?
    guard getgrgid_r(group, &entry, &text, text.count, &foundGroup) == 0, foundGroup != nil,
      String(cString: entry.gr_name) == name
    else { return false }
    var member = entry.gr_mem
    while let entry = member, let one = entry.pointee {
      if String(cString: one) != name { return false }
      member = entry.advanced(by: 1)
    }
    return true
  }
}

extension Permissions {
  /// Whether it belongs to the user who runs this process, or to root.
  var isOwnedByUser: Bool { owner == 0 || owner == geteuid() }

  /// Why commands in it may be somebody else's, or nil where they are the user's own.
  var problem: String? {
    if !isRegularFile { return "it is no file" }
    if !isOwnedByUser { return "it belongs to another user" }
    return isWritableByOthers ? "others may write to it (mode \(octal)); chmod go-w" : nil
  }
}
