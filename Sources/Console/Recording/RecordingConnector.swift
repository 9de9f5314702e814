public import BackendKit
public import ConsoleSetup
import Synchronization

/// Connects as another connector does, and keeps what passes in a file.
public struct RecordingConnector: Connector {
  /// Always true.
  public var isRecorded: Bool { true }
  private let base: any Connector
  private let file: RecordingFile
  private let blanking: Blanking

  /// A connector that keeps what passes over another one.
  public init(_ base: any Connector, file: RecordingFile, _ blanking: Blanking) {
    self.base = base
    self.file = file
    self.blanking = blanking
  }

  /// The other connector's connection, watched.
  public func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    RecordingConnection(
      try base.connect(backend, login: login), backend: backend.name, file: file, blanking: blanking)
  }
}

extension RecordingConnector {
  /// Forwards to the other connector.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { base.keepsLogin(of: backend) }
}

/// A connection whose exchanges are kept.
private final class RecordingConnection: Connection, HTTPExchange {
  private let base: any Connection
  private let backend: String
  private let file: RecordingFile
  private let blanking: Blanking

  init(_ base: any Connection, backend: String, file: RecordingFile, blanking: Blanking) {
    self.base = base
    self.backend = backend
    self.file = file
    self.blanking = blanking
  }

  var exchange: any HTTPExchange { self }
  var address: String { base.address }
  var retryAfter: Int? { base.retryAfter }
  var activeLogin: ActiveLogin? { base.activeLogin }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    var exchange = try begin(blanking.request(request))
    let attempts = Mutex<[AttemptLog.Outcome]>([])
    let outer = AttemptLog.current
    let log = AttemptLog { outcome, sent in
      outer?.add(outcome, of: sent)
      // A login on the way is below what is recorded.
      if sent.effect != .session { attempts.withLock { $0.append(outcome) } }
    }
    let result: Result<HTTPResponse, BackendError> = await AttemptLog.$current.withValue(log) {
      do throws(BackendError) { return .success(try await base.exchange.send(request)) } catch {
        return .failure(error)
      }
    }
    let outcomes = attempts.withLock(\.self)
    switch result {
    case .success(let answer):
      if outcomes.count > 1 { exchange.attempts = outcomes }
      return watched(answer, exchange, keepsBody: !request.isFile)
    case .failure(var error):
      exchange.attempts = outcomes
      // As whoever asks will say.
      if error.effect != .notSent { error.httpStatus = error.httpStatus ?? log.status }
      end(exchange, error)
      throw error
    }
  }

  func login(user: String, password: String, isForSession: Bool) async throws(BackendError) {
    try await keep("LOGIN", user) { () throws(BackendError) in
      try await base.login(user: user, password: password, isForSession: isForSession)
      return Object()
    }
  }

  func logout() async throws(BackendError) {
    try await keep("LOGOUT", "") { () throws(BackendError) in
      try await base.logout()
      return Object()
    }
  }

  func identity() async throws(BackendError) -> Object {
    try await keep("IDENTITY", "") { () throws(BackendError) in try await base.identity() }
  }

  @discardableResult
  private func keep(
    _ operation: String, _ target: String, _ body: () async throws(BackendError) -> Object
  ) async throws(BackendError) -> Object {
    var exchange = try begin(
      RecordedExchange.Request(method: operation, target: blanking.text(target), effect: .session))
    do {
      let result = try await body()
      exchange.result = blanking.object(result)
      end(exchange)
      return result
    } catch {
      end(exchange, error)
      throw error
    }
  }

  private func begin(_ request: RecordedExchange.Request) throws(BackendError) -> RecordedExchange {
    let (number, concurrent) = try file.begin()
    return RecordedExchange(
      number: number, backend: backend, address: base.address, concurrent: concurrent, request: request)
  }

  private func end(_ exchange: RecordedExchange, _ failure: BackendError? = nil) {
    var exchange = exchange
    exchange.address = base.address
    exchange.failure = failure.map(blanking.error)
    file.end(exchange)
  }

  /// The answer with a body that is kept as it is read.
  private func watched(_ answer: HTTPResponse, _ exchange: RecordedExchange, keepsBody: Bool) -> HTTPResponse {
    let copy = BodyCopy(keepsBody: keepsBody) { [self] body, pieces, isWhole, failure in
      var exchange = exchange
      // The header fields first: what they tell to be secret may stand in the body, too.
      let headers = blanking.fields(answer.headers)
      let blanked = blanking.body(body)
      exchange.response = RecordedExchange.Response(
        status: answer.status, headers: headers, body: blanked,
        // Blanking moved the ends of the pieces.
        pieces: blanked == body ? pieces : [], isWhole: isWhole)
      end(exchange, failure)
    }
    let body = HTTPBody { () throws(BackendError) in
      do throws(BackendError) {
        let piece = try await answer.body.next()
        copy.take(piece)
        return piece
      } catch {
        copy.end(isWhole: false, error)
        throw error
      }
    }
    return HTTPResponse(status: answer.status, headers: answer.headers, body: body)
  }
}

/// A copy of the part of a body that was read. Passed on once: at its end, at a failure, or when the reader stops.
private final class BodyCopy: Sendable {
  typealias Receiver = @Sendable (_ body: [UInt8], _ pieces: [Int], _ isWhole: Bool, _ failure: BackendError?) -> Void

  private struct State {
    var body: [UInt8] = []
    var pieces: [Int] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let keepsBody: Bool
  private let receive: Receiver

  init(keepsBody: Bool, _ receive: @escaping Receiver) { (self.keepsBody, self.receive) = (keepsBody, receive) }

  deinit { end(isWhole: false, nil) }

  func take(_ piece: [UInt8]?) {
    guard let piece else { return end(isWhole: keepsBody, nil) }
    guard keepsBody else { return }
    state.withLock { state in
      state.body += piece
      state.pieces.append(piece.count)
    }
  }

  func end(isWhole: Bool, _ failure: BackendError?) {
    let over = state.withLock { state -> (body: [UInt8], pieces: [Int])? in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.body = [] }
      return (state.body, state.pieces)
    }
    if let over { receive(over.body, over.pieces, isWhole, failure) }
  }
}
