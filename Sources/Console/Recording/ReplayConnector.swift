public import BackendKit
public import ConsoleSetup
import Synchronization

/// A connector whose responses come from a recording.
public struct ReplayConnector: Connector {
  /// Always true.
  public var isRecorded: Bool { true }
  private let replay: Replay
  private let blanking: Blanking

  /// Creates a connector for the backends of a recording.
  public init(_ replay: Replay, _ blanking: Blanking) {
    self.replay = replay
    self.blanking = blanking
  }

  /// Opens a connection to the recording; nothing is sent to a server.
  public func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    ReplayConnection(backend, replay, blanking)
  }
}

private final class ReplayConnection: Connection {
  private let backend: BackendConfiguration
  private let replay: Replay
  private let blanking: Blanking
  private let known = Mutex<String?>(nil)
  private let pause = Mutex<Int?>(nil)

  init(_ backend: BackendConfiguration, _ replay: Replay, _ blanking: Blanking) {
    self.backend = backend
    self.replay = replay
    self.blanking = blanking
  }

  /// The address of the recorded run, for messages.
  var address: String { known.withLock(\.self) ?? backend.url }

  var activeLogin: ActiveLogin? { nil }

  var retryAfter: Int? { pause.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let exchange = try answer(blanking.request(request))
    for outcome in exchange.attempts ?? exchange.usualAttempts { AttemptLog.current?.add(outcome, of: request) }
    for note in exchange.notes { AttemptLog.current?.add(note: note) }
    pause.withLock { $0 = exchange.failure?.retryAfter }
    guard let response = exchange.response else { throw await replay.end(of: exchange) }
    let rest = Mutex(Pieces(response, sent: request.body))
    let body = HTTPBody { [replay] () throws(BackendError) in
      if let piece = rest.withLock({ $0.next() }) { return piece }
      if response.isWhole { return nil }
      throw await replay.end(of: exchange)
    }
    let answer = HTTPResponse(
      status: response.status, headers: response.headers.map { ($0.name, $0.value) }, body: body)
    pause.withLock { $0 = answer.retryAfter }
    return answer
  }

  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object {
    let exchange = try answer(operation.recorded(blanking))
    guard let result = exchange.result else { throw await replay.end(of: exchange) }
    return result
  }

  private func answer(_ request: RecordedExchange.Request) throws(BackendError) -> RecordedExchange {
    let exchange = try replay.answer(request, to: backend.name)
    known.withLock { $0 = exchange.address }
    return exchange
  }
}

private struct Pieces {
  private var rest: ArraySlice<UInt8>
  private var lengths: ArraySlice<Int>

  /// Creates the pieces of a recorded body. Blanked secrets are replaced by what the request sends under the same
  /// names, as a server would echo them.
  init(_ response: RecordedExchange.Response, sent body: [UInt8]?) {
    let text = String(decoding: response.body, as: UTF8.self)
    if response.isWhole, text.contains(text: Blanking.mark), let sent = body.flatMap({ try? JSONReader.read($0) }),
      let document = try? JSONReader.read(response.body)
    {
      var bytes: [UInt8] = []
      JSONWriter.write(document.unblanked(by: sent.textsByName), to: &bytes)
      (rest, lengths) = (bytes[...], [bytes.count])
      return
    }
    rest = response.body[...]
    lengths = response.pieces[...]
  }

  mutating func next() -> [UInt8]? {
    guard let length = lengths.popFirst() else { return nil }
    defer { rest = rest.dropFirst(length) }
    return Array(rest.prefix(length))
  }
}

extension Value {
  fileprivate var textsByName: [String: Value] {
    switch self {
    case .object(let object):
      object.members.reduce(into: [:]) { found, member in
        if member.1.text != nil { found[member.0] = member.1 }
        found.merge(member.1.textsByName) { first, _ in first }
      }
    case .array(let elements): elements.reduce(into: [:]) { $0.merge($1.textsByName) { first, _ in first } }
    case .null, .bool, .number, .string: [:]
    }
  }

  fileprivate func unblanked(by texts: [String: Value]) -> Value {
    switch self {
    case .object(let object):
      .object(
        Object(
          object.members.map { name, value in
            (name, value == .string(Blanking.mark) ? texts[name] ?? value : value.unblanked(by: texts))
          }))
    case .array(let elements): .array(elements.map { $0.unblanked(by: texts) })
    case .null, .bool, .number, .string: self
    }
  }
}

extension RecordedExchange {
  /// The outcomes of the attempts if the recording has none.
  fileprivate var usualAttempts: [AttemptLog.Outcome] {
    if let response { return [.answered(response.status)] }
    return [failure?.effect == .notSent ? .notSent : .unanswered]
  }
}

extension SessionOperation {
  func recorded(_ blanking: Blanking) -> RecordedExchange.Request {
    let (method, target) =
      switch self {
      case .login(let user, _, _): ("LOGIN", user)
      case .signIn: ("LOGIN", "")
      case .logout: ("LOGOUT", "")
      case .identity: ("IDENTITY", "")
      }
    return RecordedExchange.Request(method: method, target: blanking.text(target), effect: .session)
  }
}
