import Files
import Glibc

/// A process and its descendants in the console's process group: those that Ctrl-C at a terminal would reach. The
/// console's parent is in that group, too, but not included.
struct ProcessFamily {
  private let members: [pid_t]

  /// The present members.
  init(of first: pid_t) {
    var children: [pid_t: [pid_t]] = [:]
    var groups: [pid_t: pid_t] = [:]
    for process in (FolderListing.names(in: "/proc") ?? []).compactMap({ pid_t($0) }) {
      guard let (parent, group) = Self.parentAndGroup(of: process) else { continue }
      children[parent, default: []].append(process)
      groups[process] = group
    }
    var found = [first]
    var index = 0
    while index < found.count {
      found += children[found[index]] ?? []
      index += 1
    }
    let own = getpgrp()
    members = found.filter { groups[$0] == own }
  }

  func send(_ signal: Int32) { for process in members { kill(process, signal) } }

  private static func parentAndGroup(of process: pid_t) -> (parent: pid_t, group: pid_t)? {
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    // The name is in parentheses and may contain anything.
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst(2).prefix(2).compactMap { pid_t($0) }
    return fields.count == 2 ? (fields[0], fields[1]) : nil
  }
}
