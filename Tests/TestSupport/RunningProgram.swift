internal import CSpawn
internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that runs beside the test, with pipes as its standard streams.
///
/// The program's output is taken while the test waits for something, and stays in the pipes otherwise. Every wait ends
/// as soon as its condition holds, or throws at its deadline with the output so far. The program is killed when this
/// object is released.
public final class RunningProgram: Sendable {
  /// The end of a program and its output.
  public struct Ending: Sendable {
    /// The bytes written to standard output.
    public let bytes: [UInt8]
    /// The text written to standard error.
    public let errors: String
    /// Its exit status; 128 and the signal's number where a signal ended it.
    public let status: Int
    /// The signal that ended it; nil where it has ended by itself, with whatever status.
    public let signal: Int32?
    /// Standard output as text.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
  }

  private struct Stream {
    let descriptor: Int32
    var bytes: [UInt8] = []
    var isEnded = false
  }

  private struct State {
    var output: Stream
    var errors: Stream
    var status: Int?
    var signal: Int32?
    /// The end of the last expected text in the output.
    var mark = 0
    var isEnded: Bool { status != nil && output.isEnded && errors.isEnded }
  }

  /// The process id.
  public let id: Int32
  private let name: String
  private let descriptor: Int32
  private let input: Mutex<Int32>
  private let state: Mutex<State>

  /// Starts a program, given by its path or its name, with its arguments; its standard input stays open.
  public init(_ words: [String], environment: [String: String]? = nil, in folder: String? = nil) throws {
    // Else a program that went away would end the tests when they write to it.
    Glibc.signal(SIGPIPE, SIG_IGN)
    var given: [Int32] = [], kept: [Int32] = []
    defer { for end in given { close(end) } }
    do {
      for place in 0..<3 {
        var ends: [Int32] = [-1, -1]
        guard spawn_pipe(&ends) == 0 else {
          throw Spawn.Failure("cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        given.append(ends[place == 0 ? 0 : 1])
        kept.append(ends[place == 0 ? 1 : 0])
        _ = fcntl(kept[place], F_SETFL, O_NONBLOCK)
      }
      id = try Spawn.start(
        words, environment: environment, in: folder,
        streams: .descriptors(input: given[0], output: given[1], errors: given[2]))
    } catch {
      for end in kept { close(end) }
      throw error
    }
    name = words.first?.split(separator: "/").last.map(String.init) ?? ""
    // From Linux 5.3 on; without it the wait goes on until the outputs end.
    descriptor = spawn_process_descriptor(id)
    input = Mutex(kept[0])
    state = Mutex(State(output: Stream(descriptor: kept[1]), errors: Stream(descriptor: kept[2])))
  }

  deinit {
    endInput()
    state.withLock { state in
      close(state.output.descriptor)
      close(state.errors.descriptor)
      guard state.status == nil else { return }
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    close(descriptor)
  }

  // MARK: To the program

  /// Writes to its standard input, and takes its output meanwhile so that neither waits for the other; what a program no
  /// longer reads is dropped.
  public func type(_ bytes: [UInt8], timeout: Duration = .seconds(180)) throws {
    var rest = bytes[...]
    try wait("\(name) to read its input", timeout: timeout, wantsInput: true) { _ in
      self.input.withLock { input in
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
          if count < 0 { return errno != EAGAIN && errno != EINTR }
          rest = rest.dropFirst(count)
        }
        return true
      }
    }
  }

  /// Writes a text to its standard input.
  public func type(_ text: String) throws { try type(Array(text.utf8)) }

  /// Closes its standard input.
  public func endInput() {
    input.withLock { input in
      if input >= 0 { close(input) }
      input = -1
    }
  }

  /// Sends it a signal, unless it has ended.
  public func signal(_ number: Int32) {
    // Its number is not given to another process before its end was asked for, which the lock keeps from happening now.
    state.withLock { if $0.status == nil { kill(id, number) } }
    if number == SIGSTOP { waitForStop() }
  }

  /// Waits until all threads have stopped: while the one that takes the signal waits for a processor, the others go on.
  private func waitForStop() {
    let tasks = "/proc/\(id)/task"
    func isStopped(_ task: String) -> Bool {
      guard let text = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8) else { return true }
      // The state follows the name, which is in parentheses.
      return text.split(separator: ")").last?.first { $0 != " " }.map("TtZX".contains) ?? true
    }
    while let names = try? FileManager.default.contentsOfDirectory(atPath: tasks), !names.allSatisfy(isStopped) {
      usleep(1_000)
    }
  }

  // MARK: From the program

  /// Waits until a text comes on standard output, after what the last such wait found; returns the output from there to
  /// the end of the text.
  @discardableResult
  public func expect(_ text: String, timeout: Duration = .seconds(180)) async throws -> String {
    try await blocking { try self.waitForOutput(text, timeout: timeout) }
  }

  /// Closes its standard input, or sends it a signal in place of that, and waits for its end and that of its outputs; it
  /// is killed at the deadline.
  public func end(by signal: Int32? = nil, timeout: Duration = .seconds(180)) async throws -> Ending {
    try await blocking { try self.waitForEnd(by: signal, timeout: timeout) }
  }

  /// Does the same as `expect`, on the calling thread.
  @discardableResult
  public func waitForOutput(_ text: String, timeout: Duration = .seconds(180)) throws -> String {
    var found: String?
    let wanted = Array(text.utf8)
    try wait("\(text.debugDescription) from \(name)", timeout: timeout) { state in
      let rest = state.output.bytes[state.mark...]
      if let range = rest.firstRange(of: wanted) {
        found = String(decoding: rest[..<range.upperBound], as: UTF8.self)
        state.mark = range.upperBound
      }
      return found != nil || state.output.isEnded
    }
    guard let found else { throw failure("\(name) ended its output without \(text.debugDescription)") }
    return found
  }

  /// Does the same as `end`, on the calling thread.
  public func waitForEnd(by signal: Int32? = nil, timeout: Duration = .seconds(180)) throws -> Ending {
    if let signal { self.signal(signal) } else { endInput() }
    do { try wait("the end of \(name)", timeout: timeout) { $0.isEnded } } catch {
      self.signal(SIGKILL)
      throw error
    }
    return state.withLock { state in
      Ending(
        bytes: state.output.bytes, errors: String(decoding: state.errors.bytes, as: UTF8.self),
        status: state.status ?? -1, signal: state.signal)
    }
  }

  private func wait(
    _ what: String, timeout: Duration, wantsInput: Bool = false, until condition: (inout State) -> Bool
  ) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      var descriptors: [pollfd] = []
      let isDone = state.withLock { state in
        take(&state.output)
        take(&state.errors)
        takeStatus(&state)
        // A stream that has ended would not let the poll wait.
        descriptors = [state.output, state.errors].map {
          pollfd(fd: $0.isEnded ? -1 : $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        descriptors.append(pollfd(fd: state.status == nil ? descriptor : -1, events: Int16(POLLIN), revents: 0))
        return condition(&state)
      }
      if isDone { return }
      let left = deadline - .now
      guard left > .zero else { throw failure("waited in vain for \(what), \(timeout)") }
      if wantsInput { descriptors.append(pollfd(fd: input.withLock { $0 }, events: Int16(POLLOUT), revents: 0)) }
      poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(left))
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  private func take(_ stream: inout Stream) {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while !stream.isEnded {
      let count = read(stream.descriptor, &piece, piece.count)
      if count < 0 && errno != EINTR { return }
      stream.isEnded = count == 0
      if count > 0 { stream.bytes += piece[..<count] }
    }
  }

  private func takeStatus(_ state: inout State) {
    var raw: Int32 = 0
    guard state.status == nil, waitpid(id, &raw, WNOHANG) == id else { return }
    let signal = raw & 0x7F
    state.status = Int(signal == 0 ? (raw >> 8) & 0xFF : 128 + signal)
    if signal != 0 { state.signal = signal }
  }

  private func failure(_ sentence: String) -> Spawn.Failure {
    state.withLock { state in
      let ending = state.status.map { "ended with \($0)" } ?? "runs"
      let texts = [state.output, state.errors].map { String(decoding: $0.bytes.suffix(2000), as: UTF8.self) }
      return Spawn.Failure("\(sentence). It \(ending); output: \(texts[0])\nerrors: \(texts[1])")
    }
  }
}
