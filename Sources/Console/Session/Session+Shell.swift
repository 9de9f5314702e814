import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

extension Session {
  func runShell(_ text: String) throws {
    try context.checkShell("!", isInteractive: isInteractive)
    output.flush()
    errors.flush()
    // Output that becomes a value of a script is not shown.
    if execution.rows != nil {
      var text = try shellOutput(text)
      if text.last == "\n" { text.removeLast() }
      script.result = .value(.string(text))
      return
    }
    guard let child = ChildProcess(["/bin/sh", "-c", text], environment: context.children) else { throw Self.noShell }
    try end(child)
  }

  private func shellOutput(_ text: String) throws -> String {
    let pipe = try makePipe()
    let child = ChildProcess(["/bin/sh", "-c", text], environment: context.children, output: pipe.writing)
    close(pipe.writing)
    defer { close(pipe.reading) }
    guard let child else { throw Self.noShell }
    let bytes: [UInt8]?
    do throws(FileFailure) { bytes = try OpenFile.rest(of: pipe.reading, limit: Self.mostShellOutput) } catch {
      throw CommandFailure(.failure, "what the shell command wrote cannot be read: \(error.reason)")
    }
    guard let bytes else {
      kill(child.process, SIGTERM)
      _ = child.wait(interruption)
      throw CommandFailure(.failure, "the shell command wrote more than \(Self.mostShellOutput >> 20) MiB")
    }
    try end(child)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.failure, "what the shell command wrote is not valid UTF-8")
    }
    return text
  }

  private static var mostShellOutput: Int { 16 << 20 }

  private static var noShell: CommandFailure {
    CommandFailure(.failure, "a shell cannot be started: \(String(cString: strerror(errno)))")
  }

  private func makePipe() throws(CommandFailure) -> (reading: Int32, writing: Int32) {
    guard let pipe = ClosedOnExec.pipe() else {
      throw CommandFailure(.failure, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    return pipe
  }

  func piped(into text: String, _ body: () async throws -> CommandOutcome) async throws -> CommandOutcome {
    try context.checkShell("|", isInteractive: isInteractive)
    output.flush()
    errors.flush()
    let pipe = try makePipe()
    let child = ChildProcess(["/bin/sh", "-c", text], environment: context.children, input: pipe.reading)
    close(pipe.reading)
    guard let child else {
      close(pipe.writing)
      throw Self.noShell
    }
    let result: Result<CommandOutcome, any Error>
    do {
      result = .success(
        // A shell that does not read all output is not an error.
        try await redirected(to: Output(descriptor: pipe.writing), as: .program) { _ in try await body() })
    } catch { result = .failure(error) }
    close(pipe.writing)
    // The failure of the command takes precedence over that of the shell.
    do { try end(child) } catch { if case .success = result { throw error } }
    return try result.get()
  }

  func redirected<Result>(
    to other: Output, as kind: CommandExecution.Destination, _ body: (Output) async throws -> Result
  ) async throws -> Result {
    let own = (output, execution.destination)
    (output, execution.destination) = (other, kind)
    defer { (output, execution.destination) = own }
    do {
      let result = try await body(other)
      other.flush()
      return result
    } catch {
      other.flush()
      throw error
    }
  }

  private func end(_ child: ChildProcess) throws(CommandFailure) {
    var modes = termios()
    let hasModes = isInteractive && tcgetattr(0, &modes) == 0
    let ending = child.wait(interruption)
    if hasModes { tcsetattr(0, TCSADRAIN, &modes) }
    switch ending {
    case .exited(0): return
    case .exited(let status): throw CommandFailure(.failure, "the shell command ended with status \(status)")
    case .killed(let signal) where signal == Interruption.endingSignal ?? SIGINT:
      throw CommandFailure(.interrupted, "the shell command was interrupted")
    case .killed(let signal):
      throw CommandFailure(.failure, "the shell command was killed by a signal: \(String(cString: strsignal(signal)))")
    }
  }
}
