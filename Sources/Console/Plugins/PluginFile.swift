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

  /// Why the file cannot be opened, or nil where it can.
  func problem() -> PluginError? {
    guard PluginName.isValid(name) else {
      return error("has no plugin's name", hint: "a name has small letters, digits and hyphens")
    }
    return placeProblem() ?? contentProblem()
  }

  func error(_ clause: String, hint: String? = nil) -> PluginError {
    PluginError(name, file: path, "\(path) \(clause)", hint: hint)
  }

  // MARK: Who may write

  private func placeProblem() -> PluginError? {
    // The file itself and where it was found: a link may lead to a safe file and be replaceable all the same.
    for start in [Path.real(path), Path.real(Path.folder(of: path))] {
      var part = start
      while true {
        if let problem = problem(of: part) { return problem }
        if part == "/" || part == "." { break }
        part = Path.folder(of: part)
      }
    }
    return nil
  }

  private func problem(of part: String) -> PluginError? {
    guard let permissions = Permissions(path: part) else {
      return error("cannot be looked at: \(FileFailure.system.reason)")
    }
    let what = part == Path.real(path) ? "is not safe to open:" : "is not safe to open: in its path,"
    guard permissions.isOwnedByUser || owners.contains(permissions.owner) else {
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

  private func contentProblem() -> PluginError? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return error("cannot be read: \(FileFailure.system.reason)") }
    defer { close(descriptor) }
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
