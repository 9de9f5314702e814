public import BackendKit
import Synchronization

/// A server with prepared responses, for what real servers do not do on demand. It is an exchange without a socket.
public final class FixtureServer: HTTPExchange {
  /// A response.
  public struct Answer: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: [(String, String)]
    /// The body.
    public var body: [UInt8]

    /// Creates a response with a body of any type.
    public init(_ status: Int, headers: [(String, String)] = [], _ body: String = "") {
      self.status = status
      self.headers = headers
      self.body = Array(body.utf8)
    }

    /// Creates a response with a JSON body.
    public static func json(_ status: Int = 200, _ body: String) -> Answer {
      Answer(status, headers: [("Content-Type", "application/json;charset=UTF-8")], body)
    }
  }

  private let answer: @Sendable (HTTPRequest) throws(BackendError) -> Answer
  private let received = Mutex<[HTTPRequest]>([])

  /// Creates a server that answers each request by a function.
  public init(answering answer: @escaping @Sendable (HTTPRequest) throws(BackendError) -> Answer) {
    self.answer = answer
  }

  /// Creates a server that returns these responses in turn, and then repeats the last one.
  public convenience init(_ answers: Answer...) {
    let rest = AnswersInTurn(answers)
    self.init { (_) throws(BackendError) in try rest.next() }
  }

  /// The requests so far, in order.
  public var requests: [HTTPRequest] { received.withLock(\.self) }

  /// The requests so far as method, path and query.
  public var summaries: [String] { requests.map(\.summary) }

  /// Records a request and answers it.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    received.withLock { $0.append(request) }
    let answer = try answer(request)
    return HTTPResponse(
      status: answer.status, headers: answer.headers, body: HTTPBody(whole: answer.body))
  }
}

/// Responses in turn, with the last one repeated.
final class AnswersInTurn: Sendable {
  private let answers: Mutex<[FixtureServer.Answer]>

  init(_ answers: [FixtureServer.Answer]) { self.answers = Mutex(answers) }

  func begin(_ answers: [FixtureServer.Answer]) { self.answers.withLock { $0 = answers } }

  func next() throws(BackendError) -> FixtureServer.Answer {
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    if let answer { return answer }
    throw BackendError(.unavailable, "no answer was written down", effect: .notSent)
  }
}
