import BackendKit
import ConsoleOutput
import Glibc
import Synchronization

/// Reads the messages of a client on a thread of its own, so that a cancellation and the end arrive during a call.
///
/// The thread answers requests that need no command; calls wait for their turn.
final class AssistantReader: Sendable {
  /// A call that waits for its turn.
  struct Call: Sendable {
    let request: AssistantRequest
    let tool: AssistantTool
    /// The name that the client gives itself.
    let client: String
  }

  private struct State {
    /// The calls that wait or run.
    var open: Set<Value> = []
    var cancelled: Set<Value> = []
    var running: (id: Value, cancel: @Sendable () -> Void)?
    var isOver = false
  }

  private static let longest = 16 << 20
  private static let mostOpen = 64

  let calls: AsyncStream<Call>
  private let added: AsyncStream<Call>.Continuation
  private let state = Mutex(State())
  private let input: Int32
  private let output: Output
  private let handshake: AssistantHandshake

  init(_ input: Int32, answeringTo output: Output, _ handshake: AssistantHandshake) {
    (calls, added) = AsyncStream.makeStream()
    (self.input, self.output, self.handshake) = (input, output, handshake)
  }

  /// Starts the thread; false if the system has none left.
  func start() -> Bool {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<AssistantReader>.fromOpaque(argument).takeRetainedValue().read() }
        return nil
      }, box.toOpaque())
    if code == 0 { pthread_detach(thread) } else { box.release() }
    return code == 0
  }

  /// True if nobody reads the answers any more.
  var isBroken: Bool { output.isBroken }

  /// Sends a message as one line.
  func send(_ message: Value) {
    output.write(whole: EscapedText(json: message) + "\n")
    output.flush()
  }

  // MARK: Calls

  /// Returns whether somebody waits for the answer of a call.
  func isWanted(_ call: Call) -> Bool {
    state.withLock { state in !state.isOver && call.request.id.map { !state.cancelled.contains($0) } ?? false }
  }

  /// Notes that a call runs, which `cancel` ends. False if it is not wanted any more.
  func begin(_ call: Call, cancel: @escaping @Sendable () -> Void) -> Bool {
    guard let id = call.request.id else { return false }
    return state.withLock { state in
      guard !state.isOver, !state.cancelled.contains(id) else { return false }
      state.running = (id, cancel)
      return true
    }
  }

  /// Notes that a call is over. False if nobody waits for its answer.
  func end(_ call: Call) -> Bool {
    guard let id = call.request.id else { return false }
    return state.withLock { state in
      state.running = nil
      state.open.remove(id)
      return state.cancelled.remove(id) == nil && !state.isOver
    }
  }

  private func cancel(_ id: Value) {
    let running = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.open.contains(id) else { return nil }
      state.cancelled.insert(id)
      return state.running?.id == id ? state.running?.cancel : nil
    }
    running?()
  }

  private func add(_ call: Call, _ id: Value) throws(AssistantError) {
    let problem = state.withLock { state -> String? in
      if state.open.count >= Self.mostOpen { return "\(Self.mostOpen) calls wait already" }
      return state.open.insert(id).inserted ? nil : "a call with this id waits already"
    }
    if let problem { throw AssistantError(-32600, problem, id: id) }
    added.yield(call)
  }

  // MARK: The thread

  private func read() {
    var (line, isTooLong) = ([UInt8](), false)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(input, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, !output.isBroken else { break }
      var rest = piece[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        if !isTooLong { line += rest[..<end] }
        if isTooLong || line.count > Self.longest {
          send(AssistantError(-32600, "a message may have \(Self.longest >> 20) MiB").answer)
        } else {
          take(line)
        }
        (line, isTooLong) = ([], false)
        rest = rest[(end + 1)...]
      }
      if line.count > Self.longest { (line, isTooLong) = ([], true) }
      if !isTooLong { line += rest }
    }
    let running = state.withLock { state in
      state.isOver = true
      return state.running?.cancel
    }
    added.finish()
    running?()
  }

  private func take(_ line: [UInt8]) {
    guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { return }
    do throws(AssistantError) { try answer(try AssistantRequest(line)) } catch { send(error.answer) }
  }

  private func answer(_ request: AssistantRequest) throws(AssistantError) {
    guard let id = request.id else {
      if request.method == "notifications/cancelled", let id = request.parameters["requestId"] { cancel(id) }
      return
    }
    guard request.method == "tools/call" else { return send(request.answer(try handshake.answer(to: request))) }
    try handshake.check(request)
    guard let tool = handshake.tools.first(where: { $0.name == request.parameters["name"]?.text }) else {
      let name = request.parameters["name"]?.text ?? ""
      throw AssistantError(-32602, "unknown tool \"\(name.prefix(80))\"", id: id)
    }
    try add(Call(request: request, tool: tool, client: handshake.client(of: request)), id)
  }
}
