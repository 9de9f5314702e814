import BackendClient
import BackendKit

/// Sends the requests of a survey: reads only, one after the other, within a budget.
final class Prober {
  /// The longest response that is read, in bytes.
  static let longest = 2 << 20
  /// How long is waited for the end of a response.
  static let patience = Duration.seconds(10)
  /// The longest that is waited where the service asks for it, in seconds.
  static let longestWait = 30

  private let order: SurveyOrder
  private var left: Int
  private var leftForResource = Int.max
  /// What was answered before, by method and target: nothing is asked twice for one resource.
  private var answers: [String: Answer] = [:]
  /// How many requests were sent.
  private(set) var sent = 0
  /// Header fields of every request.
  var headers: [(String, String)] = [("Accept", "application/json")]

  init(_ order: SurveyOrder) {
    self.order = order
    left = order.requests
  }

  /// From here on, so many requests may be sent for one resource.
  func begin(limit: Int) {
    leftForResource = limit
    answers = [:]
  }

  /// Asks again what was asked before, with other headers.
  func forget() { answers = [:] }

  /// Whether no request may be sent any more, for the resource or at all.
  var isSpent: Bool { left <= 0 || leftForResource <= 0 }

  /// Reads what is at a target. Nil where the budget is spent or no answer came in time. Throws where the run was cancelled,
  /// and where the server cannot be reached.
  func get(
    _ target: Target, _ extra: [(String, String)] = [], method: String = "GET"
  ) async throws(BackendError) -> Answer? {
    let key = "\(method) \(target.sent)"
    if let answer = answers[key] { return answer }
    for attempt in 0..<3 {
      guard !isSpent else { return nil }
      left -= 1
      leftForResource -= 1
      sent += 1
      var request = HTTPRequest(method, .base, headers: headers + extra, effect: .read)
      request.link = target.sent
      order.onProgress("\(method) \(target.shown)")
      let response: HTTPResponse
      do throws(BackendError) { response = try await order.exchange.send(request) } catch {
        // An address of another origin is refused before it is sent; a single answer may hang or be no HTTP.
        guard [.timedOut, .badResponse, .misconfigured, .invalid].contains(error.code) else { throw error }
        return nil
      }
      let answer = try await read(response, method: method, target)
      guard attempt < 2, let wait = response.retryAfter else {
        answers[key] = answer
        return answer
      }
      guard wait <= Self.longestWait else {
        left = 0
        return answer
      }
      do { try await Task.sleep(for: .seconds(max(wait, 1))) } catch {
        throw BackendError(.cancelled, "the survey was stopped", effect: .notSent)
      }
    }
    return nil
  }

  private func read(
    _ response: HTTPResponse, method: String, _ target: Target
  ) async throws(BackendError) -> Answer {
    var bytes: [UInt8] = []
    var isCut = false
    let end = ContinuousClock.now + Self.patience
    do throws(BackendError) {
      while let piece = try await response.body.next() {
        bytes += piece
        guard bytes.count <= Self.longest, ContinuousClock.now < end else {
          isCut = true
          break
        }
      }
    } catch {
      guard error.code != .cancelled else { throw error }
      isCut = true
    }
    return Answer(method: method, target: target, response: response, body: bytes, isCut: isCut)
  }
}
