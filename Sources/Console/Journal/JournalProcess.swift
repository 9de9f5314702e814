import Files
import Glibc

/// Identifies processes by number and start time, since numbers are reused.
enum JournalProcess {
  static let own = name(of: getpid()) ?? "\(getpid())"

  static func isRunning(_ name: String) -> Bool {
    guard let number = Int32(name.prefix { $0 != ":" }) else { return false }
    return name == (number == getpid() ? own : self.name(of: number))
  }

  private static func name(of process: Int32) -> String? {
    guard case .success(let file)? = OwnedFile.read("/proc/\(process)/stat") else { return nil }
    // The second member is the command's name in parentheses, which can have any characters.
    let text = String(decoding: file.bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let members = text[end...].split(separator: " ")
    return members.count > 20 ? "\(process):\(members[20])" : nil
  }
}
