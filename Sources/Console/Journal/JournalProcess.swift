import Files
import Glibc

/// A process as the journal names it: by number and start, since numbers are used again.
enum JournalProcess {
  /// This process.
  static let own = name(of: getpid()) ?? "\(getpid())"

  /// Returns whether the process with this name is still running.
  static func isRunning(_ name: String) -> Bool {
    guard let number = Int32(name.prefix { $0 != ":" }) else { return false }
    return name == (number == getpid() ? own : self.name(of: number))
  }

  private static func name(of process: Int32) -> String? {
    guard case .success(let file)? = OwnedFile.read("/proc/\(process)/stat") else { return nil }
    // The command's name comes second, in parentheses, and may hold anything.
    let text = String(decoding: file.bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let members = text[end...].split(separator: " ")
    return members.count > 20 ? "\(process):\(members[20])" : nil
  }
}
