import BackendKit
import ConsoleOutput
public import ConsoleSetup
import Files
import Glibc
import Synchronization

/// The log of a run for operators: a line of JSON per command, appended to a file.
public final class RunLog: Sendable {
  /// The line of a command, without its time.
  struct Entry: Sendable {
    var file: String?
    var line: Int
    var command: String
    var tally: CommandTally
    var requests: Int
    var outcome: String
    var duration: Double
  }

  /// The identifier of the run.
  public let run: String
  private let descriptor: Int32
  private let path: String
  private let count = Atomic<Int>(0)
  private let complained = Mutex<String?>(nil)
  private let blanking: Blanking
  /// Members with the console's own words, which are never blanked.
  private static let own: Set<String> = ["time", "run", "outcome", "effect"]

  /// Opens a log file, device or pipe to append to; a new file is private to its owner. Throws a sentence to print if
  /// it cannot be written or belongs to another user.
  public init(path: String, run: String, _ blanking: Blanking) throws(ConsoleError) {
    self.path = path
    self.blanking = blanking
    self.run = run
    do { descriptor = try AddedFile.open(path, .regularOrStream) } catch {
      throw .usage("--log: cannot write \(path): \(error.reason)")
    }
  }

  var requests: Int { count.load(ordering: .relaxed) }

  func countRequest() { count.add(1, ordering: .relaxed) }

  /// The reason why lines are missing, as a sentence.
  public var complaint: String? { complained.withLock(\.self) }

  /// Appends a line in a single write, since runs may share the file.
  func add(_ entry: Entry, began: String) {
    let object = Object(facts: [
      ("time", began), ("run", run), ("file", entry.file), ("line", entry.line > 0 ? entry.line : nil),
      ("command", entry.command), ("backend", entry.tally.backend), ("resource", entry.tally.resource),
      ("requests", entry.requests), ("outcome", entry.outcome), ("effect", entry.tally.effect?.rawValue),
      ("kept", entry.tally.isKept ? nil : false), ("records", entry.tally.records),
      ("failed", entry.tally.counts?.failed), ("unknown", entry.tally.counts?.unknown),
      ("milliseconds", Self.milliseconds(entry.duration)),
    ])
    write(object)
  }

  /// Appends a line for a row of a bulk command that ended with an error, before that of the command.
  func add(row: String, _ failure: CommandFailure, file: String?, line: Int) {
    let error = failure.error
    write(
      Object(facts: [
        ("time", ClockTime.now()), ("run", run), ("file", file), ("line", line > 0 ? line : nil), ("row", row),
        ("backend", error?.backend), ("resource", error?.resource), ("id", error?.id), ("outcome", failure.outcome),
        ("effect", failure.effect?.rawValue),
      ]))
  }

  /// Appends a line for reads that were sent ahead to a backend and never used.
  func add(unused count: Int, of backend: String) {
    write(
      Object(facts: [("time", ClockTime.now()), ("run", run), ("backend", backend), ("unused", count)]))
  }

  /// Appends a line for edits that were not sent, and are kept in a plan file.
  func add(kept count: Int, in file: String) {
    write(Object(facts: [("time", ClockTime.now()), ("run", run), ("edits", count), ("plan", file)]))
  }

  private func write(_ object: Object) {
    var bytes: [UInt8] = []
    JSONWriter.write(.object(object.blanked(except: Self.own, blanking.text)), to: &bytes)
    bytes.append(0x0A)
    let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard written != bytes.count else { return }
    let reason = written < 0 ? String(cString: strerror(errno)) : "only part of the line was written"
    complained.withLock { $0 = $0 ?? "the log \(path) is incomplete: \(reason)" }
  }

  private static func milliseconds(_ duration: Double) -> Number {
    let tenths = Int((max(0, duration) * 10).rounded())
    return Number("\(tenths / 10).\(tenths % 10)") ?? Number(0)
  }
}

/// Identifiers of runs: in the log, and in requests if the backend is configured for it.
public enum RunID {
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Returns a new one: ten digits and lowercase letters, without those that are easily confused.
  public static func make() -> String {
    let number = UInt64.random(in: .min ... .max)
    return String((0..<10).map { digits[Int(number >> (6 * $0) & 31)] })
  }
}
