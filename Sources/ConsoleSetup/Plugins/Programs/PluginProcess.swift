import BackendKit
import ConsoleSystem
import CSandbox
import Files
import Glibc
import Synchronization

/// A plugin that is a program, as one process: each question is a line, and so is each answer.
///
/// Any other behavior ends it, and is reported again for every later question. It is started with its first question,
/// and again after the user interrupts one.
final class PluginProcess: Sendable {
  /// The maximum length of a line.
  static let longestLine = 16 << 20

  let name: String
  private let judged: VerifiedPlugin
  private let surroundings: ProgramSurroundings
  private let limit: Duration
  private let state = Mutex(State())

  private struct State {
    var running: Running?
    var failure: ProgramFailure?
    var number = 0
  }

  private struct Running {
    let child: ChildProcess
    let pipes: ProgramPipes
  }

  /// The misconduct of a program, as a clause, and whether it ended by itself.
  private struct Offense: Error {
    var clause: String
    var isInterruption = false
    var hasEnded = false
  }

  init(_ judged: VerifiedPlugin, _ surroundings: ProgramSurroundings, limit: Duration) {
    name = judged.file.name
    self.judged = judged
    self.surroundings = surroundings
    self.limit = limit
  }

  /// Asks a question and returns the answer, an object; a refusal is an answer, too.
  func ask(_ question: String, _ members: Object) throws(ProgramFailure) -> Result<Object, ProgramRefusal> {
    try state.withLock { state throws(ProgramFailure) in
      if let failure = state.failure { throw failure }
      do throws(Offense) {
        let running: Running
        if let known = state.running { running = known } else { running = try start() }
        state.running = running
        state.number += 1
        var line: [UInt8] = []
        let asked = Object([("number", .int(state.number)), ("ask", .string(question))] + Array(members.members))
        JSONWriter.write(.object(asked), to: &line)
        line.append(UInt8(ascii: "\n"))
        let answered = try exchange(line, running)
        return try Self.answer(answered, to: state.number, question)
      } catch {
        let failure = end(state.running, error)
        state.running = nil
        if !error.isInterruption { state.failure = failure }
        throw failure
      }
    }
  }

  /// True if its misconduct excludes further questions.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Ends the program after an answer that cannot be used.
  func refuse(_ clause: String) -> ProgramFailure {
    state.withLock { state in
      let failure = state.failure ?? end(state.running, Offense(clause: clause))
      state.running = nil
      state.failure = failure
      return failure
    }
  }

  /// Ends the process, if it runs, and its children.
  func end() {
    state.withLock { state in
      if let running = state.running { running.child.killGroup() }
      state.running = nil
    }
  }

  // MARK: Starting and ending

  private func start() throws(Offense) -> Running {
    let home: String
    do { home = try surroundings.home(of: name) } catch {
      throw Offense(clause: "cannot be started: \(error.reason)")
    }
    guard let pipes = ProgramPipes() else {
      throw Offense(clause: "cannot be started: the system has no file descriptors left")
    }
    let child = ChildProcess(
      judged, named: PluginName.file(name, .program), environment: surroundings.variables(home: home), folder: home,
      streams: pipes.given)
    let problem = errno
    pipes.closeGiven()
    guard let child else { throw Offense(clause: "cannot be started: \(String(cString: strerror(problem)))") }
    return Running(child: child, pipes: pipes)
  }

  private func end(_ running: Running?, _ offense: Offense) -> ProgramFailure {
    var failure = ProgramFailure(name: name, clause: offense.clause, isInterrupted: offense.isInterruption)
    guard let running else { return failure }
    // Its children end, too; its own end is still reported.
    kill(-running.child.process, SIGKILL)
    let ending = running.child.wait()
    while running.pipes.readErrors() {}
    let lines = String(decoding: running.pipes.said, as: UTF8.self).split(whereSeparator: \.isNewline)
    failure.said = BackendError.quoted(lines.prefix(3).joined(separator: " / "))
    if offense.hasEnded {
      switch ending {
      case .exited(let status): failure.clause = "ended with status \(status)"
      case .killed(let signal): failure.clause = "was ended by \(String(cString: strsignal(signal)))"
      }
    } else if !offense.isInterruption {
      failure.clause += " and was stopped"
    }
    return failure
  }

  // MARK: Asking

  private func exchange(_ line: [UInt8], _ running: Running) throws(Offense) -> ArraySlice<UInt8> {
    let pipes = running.pipes
    pipes.read()
    guard pipes.written.isEmpty else { throw Offense(clause: "wrote unexpected output") }
    let deadline = ContinuousClock.now + limit
    var sent = 0
    var searched = 0
    while true {
      if let end = pipes.written[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        guard end == pipes.written.count - 1 else { throw Offense(clause: "wrote unexpected output") }
        guard sent == line.count else { throw Offense(clause: "answered a question before it had read it") }
        defer { pipes.written = [] }
        return pipes.written[..<end]
      }
      searched = pipes.written.count
      guard searched <= Self.longestLine else { throw Offense(clause: "wrote a line of more than 16 MiB") }
      if pipes.isAtEnd { throw ended(running, by: deadline) }
      if Interruption.isDue { throw Offense(clause: "was interrupted", isInterruption: true) }
      guard ContinuousClock.now < deadline else {
        throw Offense(clause: "did not answer within \(limit.components.seconds) seconds")
      }
      pipes.wait(100, isWriting: sent < line.count)
      pipes.readErrors()
      if sent < line.count { sent += pipes.write(line[sent...]) }
      pipes.read()
    }
  }

  /// Returns the offense of a program that closed its output: it ended, unless it continues until the time limit.
  private func ended(_ running: Running, by deadline: ContinuousClock.Instant) -> Offense {
    while ContinuousClock.now < deadline, !Interruption.isDue {
      if running.child.hasEnded { return Offense(clause: "ended", hasEnded: true) }
      running.pipes.readErrors()
      poll(nil, 0, 5)
    }
    return Offense(clause: "closed its output")
  }

  private static func answer(
    _ line: ArraySlice<UInt8>, to number: Int, _ question: String
  ) throws(Offense) -> Result<Object, ProgramRefusal> {
    let limits = JSONReader.Limits(element: longestLine, document: longestLine)
    let read: Value
    do { read = try JSONReader.read(line, limits: limits) } catch {
      throw Offense(clause: "answered the question \(question) with a line that is not valid JSON: \(error)")
    }
    guard let object = read.object else {
      throw Offense(clause: "answered the question \(question) with a line that is not a JSON object")
    }
    guard object["number"]?.integer == number else {
      throw Offense(clause: "answered a question other than number \(number)")
    }
    guard object.count == 2 else {
      throw Offense(clause: "answered the question \(question) with members besides number and answer or error")
    }
    if let answer = object["answer"]?.object { return .success(answer) }
    if let error = object["error"] {
      if let refusal = ProgramRefusal(error) { return .failure(refusal) }
      throw Offense(clause: "answered the question \(question) with an error that \(ProgramRefusal.flaw(of: error))")
    }
    throw Offense(clause: "answered the question \(question) with neither an answer nor an error")
  }
}

extension ChildProcess {
  /// Starts the program of a plugin, confined: see `CSandbox`. Nil if it cannot be started, with the reason in `errno`.
  fileprivate init?(
    _ judged: VerifiedPlugin, named name: String, environment: [String], folder: String, streams: [Int32]
  ) {
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in variables { free(text) } }
    var child = pid_t()
    let error = name.withCString { name in
      folder.withCString { folder in
        variables.withUnsafeMutableBufferPointer { variables in
          var program = SwitchboardSandboxed()
          program.file = judged.descriptor
          program.is_script = judged.isScript ? 1 : 0
          program.name = name
          program.folder = folder
          program.environment = UnsafePointer(variables.baseAddress)
          program.streams = (streams[0], streams[1], streams[2])
          return switchboard_sandbox_start(&program, &child)
        }
      }
    }
    guard error == 0 else {
      errno = error
      return nil
    }
    self.init(process: child)
  }

  /// True if it has ended. Its process ID is not reused until it is waited for.
  fileprivate var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0
      || information.si_signo != 0
  }
}
