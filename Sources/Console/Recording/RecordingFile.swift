import BackendKit
import Files
import Glibc
import Synchronization

/// The recording of a run: a line per exchange, written as soon as it ends.
public final class RecordingFile: Sendable {
  static let version = 1

  private struct State {
    var count = 0
    var open: Set<Int> = []
    var complaint: String?
  }

  private let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Creates a recording, readable only by its owner. Throws a sentence to print if the file is not empty or cannot be
  /// written.
  public init(path: String) throws(ConsoleError) {
    self.path = path
    do { descriptor = try AddedFile.open(path, .regular) } catch {
      throw ConsoleError.usage("--record: cannot write \(path): \(error.reason) (name a new file)")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size == 0 else {
      throw ConsoleError.usage(
        "--record: \(path) is not empty and will not be overwritten (name a new file, or remove it)")
    }
    guard fchmod(descriptor, 0o600) == 0 else {
      throw ConsoleError.usage("--record: cannot restrict access to \(path): \(String(cString: strerror(errno)))")
    }
    append(.object(Object(facts: [("switchboardRecording", Self.version)])))
    if let complaint { throw ConsoleError.usage(complaint) }
  }

  /// The reason why the recording is incomplete, as a sentence.
  public var complaint: String? { state.withLock(\.complaint) }

  /// Numbers a new exchange, and returns those in flight. Throws if the file cannot be written.
  func begin() throws(BackendError) -> (number: Int, concurrent: [Int]) {
    let result: Result<(number: Int, concurrent: [Int]), BackendError> = state.withLock { state in
      if let complaint = state.complaint {
        return .failure(
          BackendError(.misconfigured, complaint, effect: .notSent, hint: "free some space and record the run again"))
      }
      defer { state.open.insert(state.count) }
      state.count += 1
      return .success((state.count, state.open.sorted()))
    }
    return try result.get()
  }

  func end(_ exchange: RecordedExchange) {
    append(exchange.value)
    _ = state.withLock { $0.open.remove(exchange.number) }
  }

  private func append(_ value: Value) {
    var bytes: [UInt8] = []
    JSONWriter.write(value, to: &bytes)
    bytes.append(0x0A)
    state.withLock { state in
      guard state.complaint == nil else { return }
      do throws(FileFailure) { try OpenFile.write(bytes, to: descriptor) } catch {
        state.complaint = "the recording \(path) cannot be written: \(error.reason)"
      }
    }
  }
}
