public import BackendKit
public import ConsoleSetup
import Synchronization

/// A middleware that records exchanges to a file.
public struct RecordingMiddleware: ConnectionMiddleware {
  /// Always true.
  public var isRecording: Bool { true }
  private let file: RecordingFile
  private let blanking: Blanking

  /// Creates a middleware that records to a file.
  public init(_ file: RecordingFile, _ blanking: Blanking) {
    self.file = file
    self.blanking = blanking
  }

  /// Sends a request, and records it with its response.
  public func send(
    _ request: HTTPRequest, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> HTTPResponse {
    var exchange = try begin(blanking.request(request), of: backend, over: connection)
    let attempts = Mutex<[AttemptLog.Outcome]>([])
    let outer = AttemptLog.current
    let log = AttemptLog { outcome, sent in
      outer?.add(outcome, of: sent)
      // A login for the request happens below the recorded layer.
      if sent.effect != .session { attempts.withLock { $0.append(outcome) } }
    }
    let result: Result<HTTPResponse, BackendError> = await AttemptLog.$current.withValue(log) {
      do throws(BackendError) { return .success(try await connection.send(request)) } catch {
        return .failure(error)
      }
    }
    let outcomes = attempts.withLock(\.self)
    exchange.notes = log.notes
    for note in log.notes { outer?.add(note: note) }
    switch result {
    case .success(let answer):
      if outcomes.count > 1 { exchange.attempts = outcomes }
      return watched(answer, exchange, over: connection, keepsBody: !request.isFile, request.reports)
    case .failure(var error):
      exchange.attempts = outcomes
      // With the status that the caller will report.
      if error.effect != .notSent { error.httpStatus = error.httpStatus ?? log.status }
      end(exchange, over: connection, error)
      throw error
    }
  }

  /// Performs a session operation, and records its result.
  public func perform(
    _ operation: SessionOperation, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> Object {
    var exchange = try begin(operation.recorded(blanking), of: backend, over: connection)
    do {
      let result = try await connection.perform(operation)
      exchange.result = blanking.object(result)
      end(exchange, over: connection)
      return result
    } catch {
      end(exchange, over: connection, error)
      throw error
    }
  }

  private func begin(
    _ request: RecordedExchange.Request, of backend: String, over connection: any Connection
  ) throws(BackendError) -> RecordedExchange {
    let (number, concurrent) = try file.begin()
    return RecordedExchange(
      number: number, backend: backend, address: connection.address, concurrent: concurrent, request: request)
  }

  private func end(_ exchange: RecordedExchange, over connection: any Connection, _ failure: BackendError? = nil) {
    var exchange = exchange
    exchange.address = connection.address
    exchange.failure = failure.map(blanking.error)
    file.end(exchange)
  }

  /// The response, with a body that is recorded as it is read.
  private func watched(
    _ answer: HTTPResponse, _ exchange: RecordedExchange, over connection: any Connection, keepsBody: Bool,
    _ reports: HeldReports?
  ) -> HTTPResponse {
    // Capturing the response itself would keep it alive through the reports that wait for its end.
    let (status, fields, isSuccess) = (answer.status, answer.headers, answer.isSuccess)
    let keep = { @Sendable (body: [UInt8], pieces: [Int], isWhole: Bool, failure: BackendError?) in
      var exchange = exchange
      // Header fields first: secrets in them may recur in the body.
      let headers = blanking.fields(fields)
      let blanked = blanking.body(body)
      exchange.response = RecordedExchange.Response(
        status: status, headers: headers, body: blanked,
        // Blanking moves the ends of the pieces.
        pieces: blanked == body ? pieces : [], isWhole: isWhole)
      end(exchange, over: connection, failure)
    }
    let copy = BodyCopy(keepsBody: keepsBody) { body, pieces, isWhole, failure in
      guard let reports, isSuccess else { return keep(body, pieces, isWhole, failure) }
      reports.add { keep(body, pieces, isWhole, failure) }
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
    return answer.with(body)
  }
}

/// A copy of the part of a body that was read, passed on once: at its end, at a failure, or when the reader stops.
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
