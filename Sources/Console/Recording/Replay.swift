import BackendKit
import ConsoleSystem
import Glibc
import Synchronization

/// A recording that replaces the servers.
public final class Replay: Sendable {
  private struct State {
    /// The exchanges not requested yet, in recorded order.
    var rest: [RecordedExchange]
    /// The first difference, after which nothing is answered.
    var difference: String?
  }

  private let path: String
  private let state: Mutex<State>
  let backends: Set<String>
  /// Called if a recorded exchange was ended by an interruption.
  private let onCancelled: @Sendable () -> Void
  /// Notices about the file, for example that its last line is truncated.
  public let notices: [String]

  /// Reads a recording. Throws a sentence to print if it cannot be read.
  public init(path: String, onCancelled: @escaping @Sendable () -> Void) throws(ConsoleError) {
    self.path = path
    self.onCancelled = onCancelled
    let bytes: [UInt8]
    do { bytes = try FileContents.read(path, limit: 1 << 30) } catch {
      throw ConsoleError.usage("--replay: \(error.message)")
    }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    // A killed run leaves a truncated line.
    let isCut = lines.popLast()?.isEmpty == false
    notices = isCut ? ["\(path): the last line was cut off and is ignored"] : []
    guard let version = lines.first.flatMap(Self.value)?.object?["switchboardRecording"] else {
      throw ConsoleError.usage("--replay: \(path) is not a recording (--record FILE writes one)")
    }
    guard version.integer == RecordingFile.version else {
      throw ConsoleError.usage("--replay: \(path) is a recording of another version (record the run again)")
    }
    var exchanges: [RecordedExchange] = []
    for (index, line) in lines.enumerated().dropFirst() {
      guard let exchange = Self.value(line).flatMap({ RecordedExchange($0, line: index + 1) }) else {
        throw ConsoleError.usage("--replay: \(path):\(index + 1): this is not a recorded exchange")
      }
      exchanges.append(exchange)
    }
    exchanges.sort { $0.number < $1.number }
    backends = Set(exchanges.map(\.backend))
    state = Mutex(State(rest: exchanges))
  }

  private static func value(_ line: ArraySlice<UInt8>) -> Value? {
    try? JSONReader.read(line, limits: JSONReader.Limits(element: 1 << 30, document: 1 << 30))
  }

  /// The reason why the run differed from the recorded one, known at its end; nil if it did not.
  public var complaint: String? {
    state.withLock { state in
      if let difference = state.difference { return difference }
      guard let first = state.rest.first else { return nil }
      let count = counted(state.rest.count, "recorded exchange was", "recorded exchanges were")
      return
        "\(path): \(count) not used, the first in line \(first.line): \(first.request.method) /\(first.request.target)"
    }
  }

  /// The recorded exchange of a request.
  ///
  /// It is the first that was not requested yet; of several concurrent ones, the first that matches. Throws if there is
  /// none, and for every later request.
  func answer(_ request: RecordedExchange.Request, to backend: String) throws(BackendError) -> RecordedExchange {
    let found: Result<RecordedExchange, BackendError> = state.withLock { state in
      if state.difference == nil {
        for (index, exchange) in state.rest.enumerated() {
          // Exchanges that ended before this one began must be requested first.
          guard state.rest[..<index].allSatisfy({ exchange.concurrent.contains($0.number) }) else { break }
          if exchange.backend == backend, RequestDifference(exchange.request, request) == nil {
            return .success(state.rest.remove(at: index))
          }
        }
        state.difference = difference(request, backend, state.rest.first)
      }
      return .failure(
        BackendError(
          .misconfigured, state.difference ?? "", effect: .notSent, hint: "record the run again"))
    }
    return try found.get()
  }

  /// Returns the error after the recorded part of a response: its failure, or that more is read than was recorded.
  func end(of exchange: RecordedExchange) async -> BackendError {
    if let failure = exchange.failure {
      if failure.code == .cancelled { await waitForCancellation() }
      return failure
    }
    let difference = "\(path):\(exchange.line): the body is read beyond what was recorded"
    state.withLock { if $0.difference == nil { $0.difference = difference } }
    return BackendError(.misconfigured, difference, effect: .rejected, hint: "record the run again")
  }

  /// Waits until the caller cancels, as it did when recorded; if it does not, the user did.
  private func waitForCancellation() async {
    do {
      // Long enough for a busy machine, since an end that comes too early would be that of the run.
      try await Task.sleep(for: .seconds(2))
      onCancelled()
    } catch {
      // Cancelled, as expected.
    }
  }

  private func difference(
    _ request: RecordedExchange.Request, _ backend: String, _ expected: RecordedExchange?
  ) -> String {
    guard let expected else {
      return "the run sends more requests than \(path) contains: \(backend): \(request.method) /\(request.target)"
    }
    let place = "\(path):\(expected.line): the request differs from the one recorded: "
    if expected.backend != backend { return place + "backend: recorded \(expected.backend), asked \(backend)" }
    return place + (RequestDifference(expected.request, request)?.description ?? "it was sent too early")
  }
}
