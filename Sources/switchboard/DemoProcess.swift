import BackendKit
import Console
import ConsoleSystem
import Glibc
import Synchronization

/// The embedded demo server: a child that is started on first use and ends with this process in any case, because its
/// standard input then reaches the end of file.
final class DemoProcess: Sendable {
  private enum State {
    case idle
    case running(base: String)
    case failed(BackendError)
  }

  private let state = Mutex(State.idle)

  /// The base address of a dialect; starts the server in a folder if none is running yet.
  @Sendable func base(
    of dialect: String, _ folder: String, _ environment: ChildEnvironment
  ) throws(BackendError) -> String {
    let outcome: Result<String, BackendError> = state.withLock { state in
      switch state {
      case .running(let base): return .success(base)
      case .failed(let error): return .failure(error)
      case .idle:
        let started = start("\(folder)/switchboard-demo", environment)
        switch started {
        case .success(let base): state = .running(base: base)
        case .failure(let error): state = .failed(error)
        }
        return started
      }
    }
    return "\(try outcome.get())/\(dialect)"
  }

  private func start(_ executable: String, _ environment: ChildEnvironment) -> Result<String, BackendError> {
    guard access(executable, X_OK) == 0 else {
      return .failure(failure("\(executable) is missing", hint: "build it, or use a backend with an address"))
    }
    guard let life = ClosedOnExec.pipe(), let words = ClosedOnExec.pipe() else {
      return .failure(failure(String(cString: strerror(errno))))
    }
    // A session of its own: Ctrl-C at the prompt is not meant for the demo.
    let child = ChildProcess(
      [executable, "--until-eof"], environment: environment, input: life.reading, output: words.writing, errors: 2,
      isDetached: true, isConfigured: true)
    let reason = child == nil ? String(cString: strerror(errno)) : nil
    close(life.reading)
    close(words.writing)
    defer { close(words.reading) }
    if let reason { return .failure(failure(reason)) }
    // life.writing stays open while this process lives.
    let line = firstLine(words.reading)
    let prefix = "listening on "
    guard line.hasPrefix(prefix) else {
      return .failure(failure("it did not start listening", hint: "run \(executable) to see why"))
    }
    return .success(String(line.dropFirst(prefix.count)))
  }

  private func firstLine(_ descriptor: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 || byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  private func failure(_ reason: String, hint: String? = nil) -> BackendError {
    BackendError(.unavailable, "the embedded demo server cannot be started: \(reason)", effect: .notSent, hint: hint)
  }
}
