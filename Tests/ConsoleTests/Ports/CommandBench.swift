import BackendClient
import BackendKit
import BackendTransport
import Synchronization
import TestSupport
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSetup
@testable import ConsoleSystem

/// Runs commands with ports of a test's own: two backends with the same todos in memory, outputs that are kept, and no session.
final class CommandBench {
  /// The effects of a command.
  struct Run {
    let changes: [SessionChange]
    let failure: (any Error)?
    let result: CommandResult
    let writes: Writes
    let output: String
    let errors: String
  }

  let service = TodoService()
  let blanking = Blanking()
  let targets: Targets
  var settings: Settings
  var environment: [String: String] = [:]
  var nested = StandIn()
  /// The answer to every question; nil if no one can be asked.
  var answer: String?
  /// Takes writes in place of the service.
  var plan: PlanDraft?
  var lastList: ListState?
  var lastResult: LastResult?
  var rows: RowBuffer?
  var survey: ServiceSurvey?
  let input = StandardInput()
  let complaints = RecordingComplaints()
  private let output = Output(capturedFor: Output(descriptor: -1))
  private let errors = Output(capturedFor: Output(descriptor: -1))

  /// A bench whose configuration a test may change first.
  init(_ configure: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration()
    configuration.backends = ["home", "work"].map {
      BackendConfiguration(name: $0, plugin: "kitura", url: "http://\($0).test")
    }
    configuration.defaultBackend = "home"
    configure(&configuration)
    settings = try Settings()
    targets = Targets(
      configuration,
      catalog: .default(executable: BuiltFolder.ofTests.path + "/switchboard", pluginPaths: [], environment: [:]),
      connector: TodoConnector(service: service), blanking: blanking)
  }

  /// Runs the command of a line with the ports.
  func run(_ line: String) async throws -> Run {
    let words = try CommandLine(line).words
    let (command, reading) = try #require(CommandTable.reading(words[...]))
    let context = context(of: command, words)
    targets.command = command.shape
    let result = context.results.result
    var failure: (any Error)?
    do { try await command.run(try Invocation(reading), context) } catch {
      // One that changes something first is what tests look at.
      guard !result.changes.isEmpty else { throw error }
      failure = error
    }
    return Run(
      changes: result.changes, failure: failure, result: result, writes: context.writes,
      output: output.takeText(), errors: errors.takeText())
  }

  /// The ports of a command.
  func context(of command: Command? = nil, _ words: [Word] = []) -> CommandContext {
    let surveyor = survey.map(SurveyStandIn.init)
    let console = ConsoleContext(
      version: "1", installation: Installation(folder: "/"), environment: environment,
      children: ChildEnvironment(environment), blanking: blanking, directory: "/", now: { 0 },
      judge: { () throws(BackendError) -> any ConformanceJudge in throw .unsupported("there is no suite here") },
      surveyor: { () throws(BackendError) -> any ServiceSurveyor in
        guard let surveyor else { throw .unsupported("nothing is surveyed here") }
        return surveyor
      })
    let interruption = Interruption()
    let reporter = Reporter(
      errors: errors, form: settings.errors, theme: .plain, file: "nightly.sb", line: 3, words: words,
      blanking: blanking,
      progress: nil, log: nil, timer: CommandTimer { 0 }, complaints: complaints)
    let results = Results(
      output: output, destination: .output, rows: rows, format: settings.output, display: settings.display,
      isInteractive: answer != nil, console: console, interruption: interruption, knowledge: nil, reporter: reporter,
      result: CommandResult())
    let run = RunFacts(
      settings: settings, console: console, isInteractive: answer != nil, rehearsal: nil, interruption: interruption,
      source: answer.map(Answerer.init), input: input, depth: 0, scope: Scope(), running: [], lastList: lastList,
      lastResult: lastResult, shownList: nil,
      lastWords: [], nested: nested)
    return CommandContext(
      row: command, words: words, targets: targets, results: results, reporter: reporter,
      writes: Writes(plan: plan), run: run)
  }
}

extension SessionChange {
  /// The change in words that tests compare.
  var words: String {
    switch self {
    case .choose(let backend, let path): "choose \(backend)" + (path.map { "/\($0)" } ?? "")
    case .set: "set"
    case .reopen(let backend): "reopen \(backend.configuration.name)"
    case .login(let backend, let user): "login \(backend) \(user ?? "nobody")"
    case .add(let backend): "add \(backend.name)"
    case .replace(let backend): "replace \(backend.name)"
    case .remove(let name): "remove \(name)"
    case .keepList(let list): "list " + (list.map { "from \($0.shown.first), page \($0.pages.count)" } ?? "none")
    case .keepPage: "page"
    case .tee(let copy): copy == nil ? "tee off" : "tee"
    case .quit: "quit"
    }
  }
}

/// A terminal where each question gets the same answer.
private final class Answerer: LineSource {
  let name: String? = nil
  private let answer: String

  init(_ answer: String) { self.answer = answer }

  func next(prompt: EscapedText) async -> SourceLine { .end }
  var canAnswer: Bool { true }
  func answer(to question: Question) async -> String? { answer }
}

/// Stands in for what runs within a command, and runs nothing.
struct StandIn: Nested {
  /// The result of a file that is run within a command.
  var nested: (ending: ScriptEnding, status: CommandStatus, failure: CommandFailure?) = (.done, .success, nil)

  func preview(_ file: String, at path: String, into plan: any PlanSink) async throws {}
  func planning(_ plan: any PlanSink, _ command: [Word]) async throws {}

  func runNested(_ file: String, at path: String) async -> (
    ending: ScriptEnding, status: CommandStatus, failure: CommandFailure?
  ) { nested }

  func aside(_ words: [Word]) async throws {}

  func picture(of words: [Word], asks: Bool) async throws -> [String] { [] }
}

/// Three todos, as a server of the adapter `kitura` has them. A write shows what it would make of one, and is forgotten.
final class TodoService: HTTPExchange, Connection {
  private let state = Mutex((requests: [String](), user: String?.none, isDown: false))

  /// The requests so far, as method and path.
  var requests: [String] { state.withLock { $0.requests } }
  /// True to answer only with errors.
  var isDown: Bool {
    get { state.withLock { $0.isDown } }
    set { state.withLock { $0.isDown = newValue } }
  }

  var address: String { "http://todos.test" }
  var activeLogin: ActiveLogin? { state.withLock { $0.user }.map { ActiveLogin(user: $0) } }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let path = request.path.segments.joined(separator: "/")
    state.withLock { $0.requests.append("\(request.method) /\(path)") }
    let todos = ["cream", "tea", "sugar"].enumerated().map { number, title in
      Object([("id", .int(number)), ("title", .string(title)), ("order", .int(number)), ("completed", false)])
    }
    if isDown { return response(500, "down") }
    let sent = request.body.flatMap { try? JSONReader.read($0).object } ?? Object()
    var todo = Object([("id", .int(todos.count))])
    if path.isEmpty, request.method == "GET" {
      return response(200, JSONWriter.compact(.array(todos.map { .object($0) })))
    } else if !path.isEmpty {
      guard let number = Int(path), todos.indices.contains(number) else { return response(404, "no such todo") }
      todo = todos[number]
    }
    for (name, value) in sent.members { todo[name] = value }
    return response(200, JSONWriter.compact(.object(todo)))
  }

  private func response(_ status: Int, _ text: String) -> HTTPResponse {
    let rest = Mutex<[UInt8]?>(Array(text.utf8))
    let body = HTTPBody { () async throws(BackendError) -> [UInt8]? in rest.withLock { $0.take() } }
    let type = status == 200 ? "application/json" : "text/plain"
    return HTTPResponse(status: status, headers: [("Content-Type", type)], body: body)
  }

  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object {
    switch operation {
    case .login(let user, _, _): state.withLock { $0.user = user }
    case .signIn: state.withLock { $0.user = "" }
    case .logout: state.withLock { $0.user = nil }
    case .identity: return Object([("user", .string(activeLogin?.user ?? ""))])
    }
    return Object()
  }
}

/// Connects every backend with the same service.
private struct TodoConnector: Connector {
  let service: TodoService

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection { service }
}

/// Finds at every address what it is told to find, once the operator agrees to one read.
private struct SurveyStandIn: ServiceSurveyor {
  let found: ServiceSurvey

  func survey(
    _ order: SurveyOrder, agree: (SurveyPlan) async throws -> Bool
  ) async throws -> ServiceSurvey? {
    try await agree(SurveyPlan(requests: [PlannedRequests(shape: "GET /items", count: 1)], sent: 2, left: 200))
      ? found : nil
  }

  func document(ofYAML bytes: [UInt8]) throws(YAMLMistake) -> YAMLDocument { throw YAMLMistake(line: nil, "no YAML") }

  func file(of description: Object) -> String { found.file }

  func updated(
    _ description: DescriptionSource, with changes: [DescriptionChange], on date: String
  ) throws(BackendError) -> UpdatedDescription {
    UpdatedDescription(bytes: description.file?.bytes ?? [], done: [], left: [])
  }

  func migrated(_ bytes: [UInt8], file: String) throws(BackendError) -> MigratedDescription {
    MigratedDescription(bytes: bytes, changes: [])
  }

  func extended(
    _ description: DescriptionSource, below base: String, with survey: ServiceSurvey
  ) throws(BackendError) -> (file: String, added: [String]) { (found.file, ["items"]) }
}
