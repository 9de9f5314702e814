import BackendClient
public import BackendKit
import ConsoleOutput
public import ConsoleSetup
import ConsoleSystem

extension Session {
  /// Runs a command's body and adds a line to the log, where there is one.
  func logging<Success>(
    _ command: @autoclosure () -> String, line: Int, _ body: () async -> Result<Success, CommandFailure>?
  ) async -> Result<Success, CommandFailure>? {
    guard let log else { return await body() }
    let outer = execution.tally
    defer { execution.tally = outer }
    execution.tally = CommandTally()
    // A command may run others, which stand elsewhere.
    let file = execution.file
    let (began, start, requests) = (ClockTime.now(), context.now(), log.requests)
    let result = await body()
    let text = String(command().drop(while: \.isWhitespace))
    guard !text.isEmpty else { return result }
    var outcome = "interrupted"
    switch result {
    case .success?: outcome = "ok"
    case .failure(let failure)?:
      outcome = failure.outcome
      if let effect = failure.effect { execution.tally.add(effect) }
    case nil: break
    }
    log.add(
      RunLog.Entry(
        file: file, line: line, command: context.blanking.line(text), tally: execution.tally,
        requests: log.requests - requests, outcome: outcome, duration: context.now() - start),
      began: began)
    return result
  }
}

extension Session {
  /// Gives up what is read ahead, and tells the log of what was never asked for.
  func endReadAhead() {
    for (name, backend) in targets.opened.sorted(by: { $0.key < $1.key }) {
      let count = backend.client.endReadAhead()
      if count > 0 { log?.add(unused: count, of: name) }
    }
  }
}

extension CommandFailure {
  /// The outcome of the command, as the log spells it.
  var outcome: String { code.rawValue == "cancelled" ? "interrupted" : code.rawValue }
}

/// Connects as another connector does, and counts the requests for the log.
public struct CountingConnector: Connector {
  private let base: any Connector
  private let log: RunLog

  /// A connector that counts what goes over another one.
  public init(_ base: any Connector, for log: RunLog) {
    self.base = base
    self.log = log
  }

  /// The other connector's connection, counted.
  public func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    CountingConnection(base: try base.connect(backend, login: login), log: log)
  }

  /// Forwards to the other connector.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { base.keepsLogin(of: backend) }
  /// True if the other connector is recorded.
  public var isRecorded: Bool { base.isRecorded }
}

private struct CountingConnection: Connection, HTTPExchange {
  let base: any Connection
  let log: RunLog

  var exchange: any HTTPExchange { self }
  var address: String { base.address }
  var retryAfter: Int? { base.retryAfter }
  var activeLogin: ActiveLogin? { base.activeLogin }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    log.countRequest()
    return try await base.exchange.send(request)
  }

  func login(user: String, password: String, isForSession: Bool) async throws(BackendError) {
    log.countRequest()
    try await base.login(user: user, password: password, isForSession: isForSession)
  }

  func logout() async throws(BackendError) {
    log.countRequest()
    try await base.logout()
  }

  func identity() async throws(BackendError) -> Object {
    log.countRequest()
    return try await base.identity()
  }
}
