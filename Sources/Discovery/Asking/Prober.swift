import BackendClient
import BackendKit
import Synchronization

/// Sends the requests of a survey, reads and trial writes, one at a time and within a budget.
final class Prober: Sendable {
  /// The maximum size of a response, and the maximum wait for its end.
  struct Limit {
    let bytes: Int
    let time: Duration
    var cutsNames = false

    static let records = Limit(bytes: 2 << 20, time: .seconds(10), cutsNames: true)
  }

  /// The longest pause that a service may request, in seconds.
  static let longestWait = 30

  private struct State {
    var gate: LinkGate
    var left: Int
    var leftForResource = Int.max
    var limitOfResource = Int.max
    /// The responses by method and target, so that nothing is requested twice for a resource.
    var answers: [String: ProbeResponse] = [:]
    var sent = 0
    var keepsWhatIsFound = false
    var stopped: String?
    var problem: String?
    /// The number of consecutive requests without a useful response.
    var failures = 0
    /// The last target with a useful response.
    var answering: ProbeTarget?
    var headers = [("Accept", "application/json")]

    var isSpent: Bool { left <= 0 || leftForResource <= 0 || stopped != nil }

    /// Counts a request; false if none may be sent.
    mutating func spend() -> Bool {
      guard !isSpent else { return false }
      count()
      leftForResource -= 1
      return true
    }

    mutating func count() { (left, sent) = (left - 1, sent + 1) }
  }

  private let order: SurveyOrder
  private let state: Mutex<State>

  init(_ order: SurveyOrder) {
    self.order = order
    state = Mutex(State(gate: LinkGate(order), left: order.requests))
  }

  var gate: LinkGate { state.withLock { $0.gate } }
  var sent: Int { state.withLock { $0.sent } }
  /// The reason why no more requests are sent; nil while the service responds.
  var stopped: String? { state.withLock { $0.stopped } }
  /// The problem with the last request that had no useful response.
  var problem: String? { state.withLock { $0.problem } }
  var headers: [(String, String)] { state.withLock { $0.headers } }

  func give(_ path: String) { state.withLock { $0.gate.give(path) } }

  /// From now on, a service that stops responding ends the survey with its findings, instead of with an error.
  func keepWhatIsFound() { state.withLock { $0.keepsWhatIsFound = true } }

  /// Starts a resource, for which this number of requests may be sent.
  func begin(limit: Int) {
    state.withLock { state in
      (state.leftForResource, state.limitOfResource) = (limit, limit)
      // The address itself may be the list of the first resource.
      state.answers = state.sent < 50 ? state.answers.filter { $0.key == "GET \(order.target)" } : [:]
    }
  }

  /// Forgets all responses, for instance because the header fields change.
  func forget() { state.withLock { $0.answers = [:] } }

  func forget(_ target: ProbeTarget) {
    state.withLock { state in
      state.answers["GET \(target.sent)"] = nil
      if let path = Link.rootPath(target.sent) { state.answers["GET \(path)"] = nil }
    }
  }

  /// True if no more requests may be sent, for the resource or in total.
  var isSpent: Bool { state.withLock { $0.isSpent } }

  /// The limit that was reached, as a clause.
  var spentReason: String {
    state.withLock { state in
      if state.stopped != nil { return "the service had stopped responding" }
      if state.left <= 0 { return "the \(counted(order.requests, "request")) of the run were used up (--max-requests)" }
      return "the \(counted(state.limitOfResource, "request")) of one resource were used up"
    }
  }

  /// The number of requests that may still be sent in total.
  var remaining: Int { state.withLock { $0.stopped == nil ? max($0.left, 0) : 0 } }

  /// Reads a target. Nil if the gate refuses it, the budget is spent, or the response says nothing about the service
  /// because it timed out or the server is unavailable. Throws if cancelled.
  func get(
    _ target: ProbeTarget, _ extra: [(String, String)] = [], method: String = "GET", limit: Limit = .records
  ) async throws(BackendError) -> ProbeResponse? {
    try await get(target, method: method, key: "\(method) ", headers + extra, limit)
  }

  /// Reads a target with the header fields of a request of the engine.
  func get(_ target: ProbeTarget, as request: HTTPRequest) async throws(BackendError) -> ProbeResponse? {
    let isUsual = request.headers.elementsEqual(headers, by: ==)
    let others = isUsual ? "" : request.headers.map { "\($0): \($1)\n" }.joined()
    return try await get(target, method: request.method, key: others + request.method + " ", request.headers, .records)
  }

  private func get(
    _ target: ProbeTarget, method: String, key: String, _ headers: [(String, String)], _ limit: Limit
  ) async throws(BackendError) -> ProbeResponse? {
    if let answer = state.withLock({ $0.answers[key + target.sent] }) { return answer }
    if let refusal = gate.refusal(of: target) {
      note("\(target.shown) is not read: \(refusal.text)")
      return nil
    }
    for attempt in 0..<3 {
      guard state.withLock({ $0.spend() }) else { return nil }
      var request = HTTPRequest(method, .base, headers: headers, effect: .read)
      request.link = target.sent
      order.onProgress("\(method) \(target.shown)")
      let response: HTTPResponse
      do throws(BackendError) { response = try await order.exchange.send(request) } catch {
        try await note(error, at: target)
        return nil
      }
      let answer = try await read(response, method: method, target, limit)
      // Without a stated time, it waits a moment.
      let pause = response.retryAfter ?? (answer.status == 429 ? attempt + 1 : nil)
      if attempt < 2, let pause, pause <= Self.longestWait {
        try await Self.pause(pause)
        continue
      }
      if answer.status == 429 {
        let reason = answer.evidence("rate limited")
        if keepsWhatIsFound {
          // A path that nothing has named may have a limit of its own.
          try await failed(reason, at: target)
        } else {
          state.withLock { ($0.problem, $0.stopped) = (reason, reason) }
        }
        return nil
      }
      guard answer.status < 500 || answer.status == 501 else {
        try await failed(answer.evidence(), at: target)
        return keepsWhatIsFound ? nil : answer
      }
      state.withLock { state in
        (state.failures, state.answering) = (0, method == "GET" ? target : state.answering)
        state.answers[key + target.sent] = answer
        // The address was on this origin, so that its path alone has the same response.
        if let path = Link.rootPath(target.sent) { state.answers[key + path] = answer }
      }
      return answer
    }
    return nil
  }

  private var keepsWhatIsFound: Bool { state.withLock { $0.keepsWhatIsFound } }

  private func note(_ problem: String) { state.withLock { $0.problem = problem } }

  /// Reads a target. If the service does not send plain JSON, this and all later requests ask for the JSON type of its
  /// refusal, or for JSON:API.
  func getInAnyType(_ target: ProbeTarget) async throws(BackendError) -> ProbeResponse? {
    let first = try await get(target)
    guard let first, [406, 415].contains(first.status) else { return first }
    let named = String(first.contentType.prefix { $0 != ";" })
    for type in [named.hasSuffix("+json") ? named : "application/vnd.api+json", "*/*"] {
      state.withLock { state in
        state.headers = [("Accept", type)]
        state.answers = [:]
      }
      if let answer = try await get(target), ![406, 415].contains(answer.status) { return answer }
    }
    return first
  }

  /// The list at a path with `.json` added, if the path shows a page for people; nil if there is none.
  func getList(of path: String) async throws(BackendError) -> (path: String, answer: ProbeResponse)? {
    guard !path.contains("?"), !path.hasSuffix("/"), !path.isEmpty,
      let answer = try await get(ProbeTarget(path + ".json")),
      answer.isSuccess, ListShape(answer.document, resource: "") != nil
    else { return nil }
    return (path + ".json", answer)
  }

  enum Outcome {
    var answer: ProbeResponse? { if case .answered(let answer) = self { answer } else { nil } }
    var accepted: ProbeResponse? { answer.flatMap { $0.isSuccess ? $0 : nil } }

    /// A response, possibly a refusal.
    case answered(ProbeResponse)
    /// No response: the write may have been executed.
    case lost(String)
    case unsent(String)
  }

  /// Sends a write once; only after a rate limit is it sent again. Throws if cancelled.
  func write(
    _ method: String, _ target: ProbeTarget, _ body: [UInt8]? = nil, _ extra: [(String, String)] = []
  ) async throws(BackendError) -> Outcome {
    let request = request(method, target, extra, body)
    order.onProgress("\(method) \(target.shown)")
    forget()
    for attempt in 0..<3 {
      state.withLock { $0.count() }
      let response: HTTPResponse
      do throws(BackendError) { response = try await order.exchange.send(request) } catch {
        guard error.code != .cancelled else { throw error }
        return error.effect == .notSent ? .unsent(error.message) : .lost(error.message)
      }
      let answer = try await read(response, method: method, target)
      guard attempt < 2, answer.status == 429, let wait = response.retryAfter, wait <= Self.longestWait else {
        return .answered(answer)
      }
      try await Self.pause(wait)
    }
    return .unsent("rate limited")
  }

  func isSecret(_ name: String) -> Bool { order.isSecret(name) }

  var date: String? { order.date }

  var exchange: any HTTPExchange { order.exchange }

  func request(
    _ method: String, _ target: ProbeTarget, _ extra: [(String, String)] = [], _ body: [UInt8]? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(method, .base, headers: headers + extra, body: body, effect: .write)
    request.link = target.sent
    return request
  }

  private static func pause(_ seconds: Int) async throws(BackendError) {
    do { try await Task.sleep(for: .seconds(max(seconds, 1))) } catch {
      throw BackendError(.cancelled, "the survey was stopped", effect: .notSent)
    }
  }

  /// Records a failed request, or throws an error that ends the survey. A refused foreign origin does not end it, nor
  /// does a single response that hangs or is malformed.
  private func note(_ error: BackendError, at target: ProbeTarget) async throws(BackendError) {
    guard error.code != .cancelled else { throw error }
    guard ![.misconfigured, .invalid].contains(error.code) else { return note(error.message) }
    guard keepsWhatIsFound || [.timedOut, .badResponse].contains(error.code) else { throw error }
    try await failed(error.message, at: target)
  }

  /// Counts a request without a useful response. After three in a row, a target that responded before is read again, to
  /// see whether the service has stopped.
  private func failed(_ reason: String, at target: ProbeTarget) async throws(BackendError) {
    let answering = state.withLock { state -> ProbeTarget? in
      state.problem = reason
      state.failures += 1
      guard state.keepsWhatIsFound, state.failures >= 3 else { return nil }
      guard state.failures == 3, let answering = state.answering, answering.sent != target.sent else {
        state.stopped = reason
        return nil
      }
      state.answers["GET \(answering.sent)"] = nil
      return answering
    }
    if let answering, try await get(answering) == nil { state.withLock { $0.stopped = reason } }
  }

  private func read(
    _ response: HTTPResponse, method: String, _ target: ProbeTarget, _ limit: Limit = .records
  ) async throws(BackendError) -> ProbeResponse {
    var bytes: [UInt8] = []
    var isCut = false
    let end = ContinuousClock.now + limit.time
    do throws(BackendError) {
      while let piece = try await response.body.next() {
        bytes += piece
        guard bytes.count <= limit.bytes, ContinuousClock.now < end else {
          isCut = true
          break
        }
      }
    } catch {
      guard error.code != .cancelled else { throw error }
      isCut = true
    }
    return ProbeResponse(
      method: method, target: target, response: response, body: bytes, isCut: isCut, cutsNames: limit.cutsNames)
  }
}
