import Foundation

/// What the system says of running processes.
enum ProcessTable {
  /// The processes that a process has started and that run.
  static func children(of parent: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { fields(of: $0)?.parent == parent && isRunning($0) }
  }

  /// Whether a process runs; one whose end nobody has asked for yet does not.
  static func isRunning(_ process: Int32) -> Bool { fields(of: process).map { $0.state != "Z" } ?? false }

  /// How many threads a process has.
  static func threads(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count) ?? 0
  }

  /// Waits for the end of a process that need not be a child of the tests; false where it goes on.
  static func waitForEnd(of process: Int32, timeout: Duration = .seconds(20)) -> Bool {
    let deadline = ContinuousClock.now + timeout
    while isRunning(process) {
      guard ContinuousClock.now < deadline else { return false }
      poll(nil, 0, 5)
    }
    return true
  }

  private static func fields(of process: Int32) -> (state: String, parent: Int32)? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
    // The name stands in parentheses and may hold anything.
    let rest = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
    guard let state = rest.first, let parent = rest.dropFirst().first.flatMap({ Int32($0) }) else { return nil }
    return (String(state), parent)
  }
}
