public import BackendKit
import Synchronization

/// What `--restricted` leaves to a script that is not fully trusted: to read from the backends of the configuration.
///
/// It is held where files are opened, programs are started, backends are opened and requests are sent, so that a command
/// that nobody thought of here is refused, too. ``check(_:)`` says the same of a command beforehand.
public struct Restriction: Sendable {
  private static let state = Atomic<Bool>(false)
  private static let variables = Mutex<Set<String>>([])

  /// Whether anything is refused.
  let isOn: Bool

  /// What holds for this process.
  static var current: Restriction { Restriction(isOn: state.load(ordering: .sequentiallyConsistent)) }

  /// Restricts the process for good: nothing can lift it. Of the environment a script may read these variables.
  public static func begin(allowing variables: [String] = []) {
    self.variables.withLock { $0 = Set(variables) }
    state.store(true, ordering: .sequentiallyConsistent)
  }

  // MARK: The places where it is held

  /// Refuses a file, but for the scripts that the outer command line names.
  func check(file path: String) throws(UsageError) {
    if isOn { throw refusal("files cannot be opened, and \(path) is one") }
  }

  /// Whether programs may be started.
  var permitsPrograms: Bool { !isOn }

  /// Refuses a backend that is not in the configuration, or in a file of it that is not trusted.
  func check(backend name: String, in configuration: Configuration) throws(UsageError) {
    guard isOn else { return }
    guard let backend = configuration.backends.first(where: { $0.name == name }) else {
      throw refusal("only backends of the configuration are available, and \(name) is not one of them")
    }
    guard backend.isTrusted else {
      throw refusal("only backends of a trusted configuration are available, and \(backend.file) is not trusted")
    }
  }

  /// Refuses a variable of the environment: a search or an identifier would carry it to a server.
  func check(variable name: String) throws(UsageError) {
    guard isOn, !Self.variables.withLock({ $0.contains(name) }) else { return }
    throw UsageError(
      "the run is restricted: it may not read $env.\(name)", hint: "nothing was sent; --allow-env \(name) permits it")
  }

  /// Refuses whatever changes something.
  func checkWriting() throws(UsageError) {
    if isOn { throw refusal("nothing is written") }
  }

  /// Refuses what changes the settings of the console's user.
  func check(changing what: String) throws(UsageError) {
    if isOn { throw refusal("\(what) cannot be changed") }
  }

  private func refusal(_ clause: String) -> UsageError {
    UsageError("the run is restricted: \(clause)", hint: "nothing was sent; --restricted is given")
  }

  // MARK: Before a command is run

  /// Refuses a command that would be refused while it is run, as far as its words tell.
  func check(_ line: CommandLine) throws(UsageError) {
    guard isOn else { return }
    if line.shell != nil || line.pipeline != nil { throw refusal("shell commands are disabled") }
    try check(line.words[...])
  }

  private func check(_ words: ArraySlice<Word>) throws(UsageError) {
    guard let (command, reading) = CommandTable.reading(words) else { return }
    let effects = command.effects(of: reading)
    if !effects.isDisjoint(with: [.writesRecords, .changesLogin]) {
      throw refusal("\(command.name) \(command.readsOnly?.clause ?? "is not a read-only command")")
    }
    if effects.contains(.makesFolders) { throw refusal("folders cannot be created") }
    if effects.contains(.runsPrograms) { throw refusal("programs cannot be started") }
    if effects.contains(.changesConfiguration) { throw refusal("the configuration cannot be changed") }
    if effects.contains(.usesJournal) { throw refusal("the journal cannot be read") }
    let read = reading.bound { BackendConfiguration.adHoc($1.text) != nil }
    for (file, use) in read.files where use != .input || file.text != "-" { try check(file: file.text) }
    for (word, kind) in read.arguments where kind == .target || kind == .backend {
      guard !word.isQuoted, BackendConfiguration.adHoc(word.text) != nil else { continue }
      throw refusal("only backends of the configuration are available, and \(word.text) is not one of them")
    }
    if let line = read.line { try check(line) }
  }
}

/// Connects as another connector does, and lets nothing through that is no reading request.
public struct ReadingConnector: Connector {
  private let base: any Connector

  /// A connector that lets only reading requests through to another one.
  public init(_ base: any Connector) { self.base = base }

  /// The other connector's connection, for reading.
  public func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    ReadingConnection(base: try base.connect(backend, login: login))
  }

  /// What the other connector says.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { base.keepsLogin(of: backend) }
  /// Whether the other connector is recorded.
  public var isRecorded: Bool { base.isRecorded }
}

private struct ReadingConnection: Connection, HTTPExchange {
  let base: any Connection

  var exchange: any HTTPExchange { self }
  var address: String { base.address }
  var retryAfter: Int? { base.retryAfter }
  var activeLogin: ActiveLogin? { base.activeLogin }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    // Whether a POST that a description declares a read is one was decided where that was read.
    guard request.effect.counted(method: request.method, isTrusted: true) == .read, !ReservedName.overrides(request)
    else { throw Self.refusal }
    return try await base.exchange.send(request)
  }

  func login(user: String, password: String, isForSession: Bool) async throws(BackendError) { throw Self.refusal }
  func logout() async throws(BackendError) { throw Self.refusal }
  func identity() async throws(BackendError) -> Object { try await base.identity() }

  private static let refusal = BackendError.unsupported(
    "the run is restricted: nothing is written", hint: "nothing was sent; --restricted is given")
}
