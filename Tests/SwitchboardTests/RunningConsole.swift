import ConsoleSupport
import Foundation

/// A console behind pipes that goes on while the test looks at it.
final class RunningConsole: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// The process id.
  var id: Int32 { process.processIdentifier }

  /// Starts the console; its standard input stays open.
  init(_ arguments: [String], in home: ConsoleRun.Home) throws {
    process.executableURL = ConsoleRun.executable
    process.arguments = arguments
    process.environment = home.variables
    process.currentDirectoryURL = home.folder
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // The threads of the tests may block signals, which a child would inherit.
    var all = sigset_t(), before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  deinit { kill(process.processIdentifier, SIGKILL) }

  /// Writes to its standard input.
  func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Reads its standard output until a text stands in it; false where it ends before.
  func reads(_ text: String) async -> Bool {
    await Self.blocking { [output] in
      var read = Data()
      while read.range(of: Data(text.utf8)) == nil {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return false }
        read += more
      }
      return true
    }
  }

  /// Sends a signal and waits for the end: the status as a shell gives it, what is left of the outputs.
  func end(by signal: Int32? = nil) async throws -> (output: String, errors: String, status: Int) {
    if let signal { kill(id, signal) } else { try input.fileHandleForWriting.close() }
    return await Self.blocking { [self] in
      let written = output.fileHandleForReading.readDataToEndOfFile()
      let complaint = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let status = Int(process.terminationStatus) + (process.terminationReason == .uncaughtSignal ? 128 : 0)
      return (
        output: String(decoding: written, as: UTF8.self), errors: String(decoding: complaint, as: UTF8.self),
        status: status
      )
    }
  }

  /// Runs what blocks a thread on a thread that may be blocked.
  static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }
}
