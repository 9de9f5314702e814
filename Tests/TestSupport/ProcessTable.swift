internal import CSpawn
internal import Foundation

/// The system's information about running processes, whether they are the tests' children or not.
public enum ProcessTable {
  /// The processes that a process has started and that run.
  public static func children(of parent: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      fields(of: "\(process)").map { $0.parent == parent && $0.state != "Z" } ?? false
    }
  }

  /// Returns the number of threads of a process.
  public static func threads(of process: Int32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
  }

  /// Returns true if every thread of a process is waiting for something.
  public static func isAsleep(_ process: Int32) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").allSatisfy { thread in
      fields(of: "\(process)/task/\(thread)")?.state == "S"
    }
  }

  /// Returns true if a process ignores a signal.
  public static func ignores(_ signal: Int32, process: Int32) throws -> Bool {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let mask = text.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last
    return mask.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(signal - 1) & 1 == 1 } ?? false
  }

  /// Waits for the end of a process that need not be a child of the tests; false where it goes on.
  public static func waitForEnd(of process: Int32, timeout: Duration = .seconds(180)) async throws -> Bool {
    try await blocking {
      let descriptor = spawn_process_descriptor(process)
      // If there is no descriptor, the process has ended already.
      guard descriptor >= 0 else { return errno == ESRCH }
      defer { close(descriptor) }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, Int32(timeout.components.seconds) * 1000) == 1
    }
  }

  private static func fields(of process: String) -> (state: String, parent: Int32)? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
    // The name stands in parentheses and may hold anything.
    let rest = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
    guard let state = rest.first, let parent = rest.dropFirst().first.flatMap({ Int32($0) }) else { return nil }
    return (String(state), parent)
  }
}
