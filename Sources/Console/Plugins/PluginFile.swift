import BackendKit
import Files
import Glibc

/// A plugin's file, judged without a single instruction of it being run: it may be hostile, stale or no library at all.
struct PluginFile {
  let name: String
  let path: String
  /// Users besides root and the one who runs this process that may own it: whoever owns the console's own file could
  /// change the console as well.
  let owners: Set<UInt32>

  /// Why the file cannot be loaded, or nil where it can.
  func problem() -> PluginError? {
    do {
      close(try judged().descriptor)
      return nil
    } catch {
      return error
    }
  }

  /// Opens the file and judges it: what is judged is what is open, whatever happens to the path meanwhile.
  func judged() throws(PluginError) -> JudgedPlugin {
    guard PluginName.isValid(name) else {
      throw error("has no plugin's name", hint: "a name has small letters, digits and hyphens")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw error("cannot be read: \(FileFailure.system.reason)") }
    if let problem = placeProblem(descriptor) ?? contentProblem(descriptor) {
      close(descriptor)
      throw problem
    }
    return JudgedPlugin(file: self, descriptor: descriptor)
  }

  func error(_ clause: String, hint: String? = nil) -> PluginError {
    PluginError(name, file: path, "\(path) \(clause)", hint: hint)
  }

  // MARK: Who may write

  private func placeProblem(_ descriptor: Int32) -> PluginError? {
    let resolved: ResolvedPath
    do { resolved = try ResolvedPath(path) } catch { return self.error("cannot be looked at: \(error.reason)") }
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, lstat(resolved.path, &named) == 0, opened.st_dev == named.st_dev,
      opened.st_ino == named.st_ino, let permissions = Permissions(descriptor: descriptor)
    else { return error("was replaced while it was looked at", hint: "try again") }
    if let problem = problem(of: resolved.path, permissions, "is not safe to open:") { return problem }
    // Where the file is, and where each link on the way is: a link may lead to a safe file and be replaceable all the same.
    for place in [resolved.path] + resolved.links.map(\.path) {
      var part = place
      while part != "/" {
        part = Path.folder(of: part)
        guard let permissions = Permissions(path: part) else {
          return error("cannot be looked at: \(FileFailure.system.reason)")
        }
        if let problem = problem(of: part, permissions, "is not safe to open: in its path,") { return problem }
      }
    }
    guard let link = resolved.links.first(where: { !isTrusted($0.owner) }) else { return nil }
    return error(
      "is not safe to open: in its path, \(link.path) is a link of another user (\(link.owner))",
      hint: "copy the plugin to a folder of your own")
  }

  private func isTrusted(_ owner: UInt32) -> Bool {
    Permissions.trustedOwners.contains(owner) || owners.contains(owner)
  }

  private func problem(of part: String, _ permissions: Permissions, _ what: String) -> PluginError? {
    guard isTrusted(permissions.owner) else {
      return error(
        "\(what) \(part) belongs to another user (\(permissions.owner))", hint: "copy it to a folder of your own")
    }
    // In a sticky folder only the owner of an entry can replace it, and the owner of each is looked at.
    if permissions.isWritableByOthers, !(permissions.isFolder && permissions.isSticky) {
      return error(
        "\(what) others may write to \(part) (mode \(permissions.octal))", hint: "chmod go-w \(part)")
    }
    return nil
  }

  // MARK: What it is

  private func contentProblem(_ descriptor: Int32) -> PluginError? {
    guard Permissions(descriptor: descriptor)?.isRegularFile == true else { return error("is no file") }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= 64 else { return error("is no shared library") }
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return error("cannot be read: \(FileFailure.system.reason)")
    }
    defer { munmap(start, size) }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    guard Self.isLibrary(bytes) else { return error("is no shared library for this machine") }
    return stampProblem(Self.stamps(in: bytes))
  }

  private func stampProblem(_ stamps: [String]) -> PluginError? {
    let own = BuildStamp.compiled().description
    guard !stamps.isEmpty else {
      return error("is no Switchboard plugin", hint: "it holds no build stamp; was it made with Plugin.export()?")
    }
    guard let other = stamps.first(where: { $0 != own }) else { return nil }
    return error(
      "was built against another console: its stamp is \"\(Self.shown(other))\", this console's \"\(Self.shown(own))\"",
      hint: "rebuild it against this console")
  }

  /// A stamp without the marker and the semicolon.
  private static func shown(_ stamp: String) -> String {
    String(stamp.dropFirst(BuildStamp.marker.count).dropLast()).split(separator: " ").joined(separator: " ")
  }

  /// Whether the bytes begin like a shared library of 64 bits for this kind of machine.
  private static func isLibrary(_ bytes: UnsafeRawBufferPointer) -> Bool {
    #if arch(arm64)
      let machine: UInt8 = 0xB7
    #else
      let machine: UInt8 = 0x3E
    #endif
    let class64: UInt8 = 2
    let littleEndian: UInt8 = 1
    let dynamic: UInt8 = 3
    return bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, class64, littleEndian]) && bytes[16] == dynamic
      && bytes[17] == 0 && bytes[18] == machine && bytes[19] == 0
  }

  /// Every stamp that stands in the bytes, from marker to semicolon.
  private static func stamps(in bytes: UnsafeRawBufferPointer) -> [String] {
    let marker = Array(BuildStamp.marker.utf8)
    guard let base = bytes.baseAddress, let first = marker.first else { return [] }
    var stamps: [String] = []
    var at = 0
    while at + marker.count <= bytes.count, let found = memchr(base + at, Int32(first), bytes.count - at) {
      let place = UnsafeRawPointer(found) - base
      at = place + 1
      guard place + marker.count <= bytes.count, memcmp(base + place, marker, marker.count) == 0 else { continue }
      let text = bytes[place...].prefix(200).prefix { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }
      let isEnded = text.endIndex < bytes.count && bytes[text.endIndex] == UInt8(ascii: ";")
      if isEnded { stamps.append(String(decoding: text, as: UTF8.self) + ";") }
    }
    return stamps
  }
}
