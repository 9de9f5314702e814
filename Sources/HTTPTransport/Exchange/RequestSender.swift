import BackendKit
import BackendTransport
import Synchronization

/// Sends requests to one base address and repeats them if allowed, without any login.
final class RequestSender: Sendable {
  let base: WebAddress
  let settings: TransportSettings
  private let proxy: ProxyServer?
  private let pace = RequestPace()
  /// The time between the beginnings of two requests; nil for no limit.
  private let pause: Duration?
  /// The time of the last response, and whether one came over a kept connection.
  private let keeping = Mutex<(last: ContinuousClock.Instant?, isSeen: Bool)>((nil, false))
  /// The parts that requests share; created with the first one, because files are read for it and the library is
  /// opened.
  private let common = Mutex<(way: Way, fields: RequestFields)?>(nil)

  /// The redirects of reads that are followed; those of writes never are.
  enum Following {
    case all
    /// Redirects are returned to the caller.
    case none
    /// All except those to a path below the base address.
    case allBut(RequestPath)
  }

  /// One request and its state.
  private struct Call {
    var address: String
    let way: Way
    let fields: [(String, String)]
    let authorization: Authorization?
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let failures: FailureText
    let following: Following
    /// True if the bodies of request and response may contain secrets that are not registered yet.
    let isSecret: Bool
    var redirects = 0
    /// True if the request is sent over a new connection.
    var isFresh = false
    /// True if an attempt of a write may have reached the server without a response.
    var isOpen = false
    /// The request's number in a trace; nil if there is no trace.
    var number: Int?
    var attempt = 0

    var headers: [(String, String)] {
      var headers = fields
      for field in authorization?.fields(request.method, address) ?? [] {
        headers.removeAll { FieldName.isSame($0.0, field.name) }
        headers.append((field.name, field.value))
      }
      return headers
    }
  }

  init(_ settings: TransportSettings, environment: ProxyEnvironment) throws(BackendError) {
    base = try WebAddress(configured: settings.address)
    try settings.tls.check()
    self.settings = settings
    proxy = settings.usesProxy ? try environment.proxy(for: base.origin) : nil
    pause = settings.requestsPerSecond.map { Duration.seconds(1 / $0) }
  }

  /// Sends a request, repeated and redirected as its effect allows.
  ///
  /// Once an attempt of a write may have reached the server without a response, only a later success is conclusive:
  /// otherwise the effect is unknown.
  ///
  /// - Parameter isSecret: whether bodies are excluded from traces, as for every login.
  func deliver(
    _ request: HTTPRequest, authorization: Authorization?, following: Following = .all, isSecret: Bool = false
  ) async throws(BackendError) -> HTTPResponse {
    let failures = FailureText(
      origin: base.origin, proxy: proxy, timeouts: settings.timeouts, effect: request.effect)
    let (way, fields) = try opened()
    var call = Call(
      address: try base.address(of: authorization?.applied(to: request) ?? request),
      way: way, fields: fields.headers(of: request), authorization: authorization, request: request,
      deadline: .now + (request.isLong ? .seconds(365 * 86_400) : settings.timeouts.total), failures: failures,
      following: following, isSecret: isSecret || request.effect == .session)
    if settings.trace?.isOn == true { call.number = TracedAttempt.number() }
    do throws(BackendError) { return try await deliver(&call) } catch {
      throw call.isOpen ? failures.sentAgain(error) : error
    }
  }

  private func deliver(_ call: inout Call) async throws(BackendError) -> HTTPResponse {
    let request = call.request
    let failures = call.failures
    var patience = RetryAfter()
    while true {
      if Task.isCancelled { throw failures.cancelled(isSent: false) }
      call.attempt += 1
      switch try await exchange(call) {
      case .failure(let failure):
        if request.mayWrite, failure.mayHaveArrived { call.isOpen = true }
        guard !call.isFresh, failure.isRepeatable(request) else {
          throw failures.beforeHead(failure, found: await explanation(of: failure))
        }
        call.isFresh = true
      case .success(let answer):
        if call.isOpen, !answer.isSuccess {
          await RequestSender.pass(over: answer)
          throw failures.sentAgain(answer)
        }
        if let address = try target(of: answer, call) {
          await RequestSender.pass(over: answer)
          call.address = address
          call.redirects += 1
        } else if request.effect == .read, let pause = patience.pause(after: answer) {
          await RequestSender.pass(over: answer)
          do { try await Task.sleep(for: pause) } catch { throw failures.cancelled(isSent: false) }
        } else {
          guard call.redirects > 0 else { return answer }
          var answer = answer
          answer.redirectedTo = String(call.address.dropFirst(base.origin.address.count))
          return answer
        }
      }
    }
  }

  /// Requests details that the HTTP library does not report; nil if there are none.
  private func explanation(of failure: ResponseStream.Failure) async -> FailureReason? {
    guard proxy == nil, failure.reason == .untrusted,
      let leaf = await ShownCertificate.leaf(of: base.origin, settings.timeouts.connect)
    else { return nil }
    if let fault = leaf.faultInDates {
      return .insecure(fault, hint: "renew it on the server, or check the clock of this machine")
    }
    return settings.tls.fault(leaf).map { .insecure($0.reason, hint: $0.hint) }
  }

  /// Returns the address to which a response redirects a request; nil if the redirect is not followed.
  private func target(of answer: HTTPResponse, _ call: Call) throws(BackendError) -> String? {
    guard answer.isRedirect else { return nil }
    switch call.following {
    case .none: return nil
    case .allBut(let path) where leads(answer, to: path): return nil
    case .all, .allBut:
      return try Redirect.target(of: answer, to: call.address, call.request, base.origin, call.redirects)
    }
  }

  /// Returns whether a response redirects to this path below the base address.
  func leads(_ answer: HTTPResponse, to path: RequestPath) -> Bool {
    guard answer.isRedirect, let location = answer.header("Location"),
      let (other, target) = Redirect.resolve(location, against: base.description + "/", base.origin)
    else { return false }
    let plain = target.prefix { $0 != "?" }
    return base.origin.isOwn(other) && plain.split(separator: "/") == "\(base.path)/\(path)".split(separator: "/")
  }

  /// Reads an unwanted response to its end, so that its connection can be reused, unless it is long.
  static func pass(over answer: HTTPResponse) async {
    var count = 0
    while count < ResponseStream.window, let piece = try? await answer.body.next() { count += piece.count }
  }

  private func exchange(_ call: Call) async throws(BackendError) -> Result<HTTPResponse, ResponseStream.Failure> {
    let headers = call.headers
    // A file that cannot be opened, or has changed, is reported before there is a connection.
    let content = try call.request.content?.open()
    if let socket = base.origin.socket { try SocketFile.check(socket, of: base.origin) }
    if let pause {
      do { try await pace.wait(pause) } catch { throw call.failures.cancelled(isSent: false) }
    }
    if call.request.mayWrite { try await waitForClosing(call.failures) }
    let stream = ResponseStream(
      WireRequest(
        method: call.request.method, address: call.address, headers: headers, body: call.request.body,
        content: content.flatMap { body in call.request.content.map { (body, $0.length) } }, way: call.way,
        isFresh: call.isFresh, mayWrite: call.request.mayWrite, firstByte: settings.timeouts.firstByte,
        deadline: call.deadline,
        isLong: call.request.isLong))
    let traced = traced(call, headers)
    do throws(ResponseStream.Failure) {
      let head = try await stream.head()
      keeping.withLock { $0 = (.now, $0.isSeen || head.isOverKept) }
      AttemptLog.current?.add(.answered(head.status), of: call.request)
      traced?.tell(.response(status: head.status, headers: head.headers))
      return .success(answer(head, stream, call, traced))
    } catch {
      AttemptLog.current?.add(error.mayHaveArrived ? .unanswered : .notSent, of: call.request)
      traced?.tell(.failure(call.failures.beforeHead(error).message))
      return .failure(error)
    }
  }

  /// Waits until a server that closes connections without announcing it has closed the last one: a write must not meet
  /// a connection that is being closed. Not needed once a connection was kept.
  private func waitForClosing(_ failures: FailureText) async throws(BackendError) {
    guard let moment = keeping.withLock({ $0.isSeen ? nil : $0.last.map { $0 + .milliseconds(10) } }), moment > .now
    else { return }
    do { try await Task.sleep(until: moment, clock: .continuous) } catch { throw failures.cancelled(isSent: false) }
  }

  /// The new attempt, if a trace is on.
  private func traced(_ call: Call, _ headers: [(String, String)]) -> TracedAttempt? {
    guard let number = call.number, let trace = settings.trace else { return nil }
    let traced = TracedAttempt(
      trace, request: number, attempt: call.attempt, keepsBody: !call.request.isFile && !call.isSecret,
      reports: call.request.reports)
    let body = call.request.body ?? call.request.content.map { Array(JSONWriter.compact($0.summary).utf8) }
    traced.tell(
      .request(
        method: call.request.method, address: call.address, headers: headers,
        body: call.isSecret ? body.map { _ in Array("[blanked]".utf8) } : body))
    return traced
  }

  /// The parts that requests share; reads files at the first call.
  private func opened() throws(BackendError) -> (Way, RequestFields) {
    if let common = common.withLock({ $0 }) { return common }
    try Library.open()
    let way = Way(
      origin: base.origin, proxy: proxy, tls: try TLSMaterial(settings.tls), connect: settings.timeouts.connect,
      decompressionRatio: settings.limits.decompressionRatio, maxConcurrent: settings.maxConcurrent,
      usesHTTP2: settings.usesHTTP2 && base.origin.isSecure)
    let fields = RequestFields(settings, host: base.origin.socket == nil ? nil : base.origin.host)
    common.withLock { $0 = (way, fields) }
    return (way, fields)
  }

  private func answer(
    _ head: ResponseStream.Head, _ stream: ResponseStream, _ call: Call, _ traced: TracedAttempt?
  ) -> HTTPResponse {
    var failures = call.failures
    failures.status = head.status
    let reader = BodyReader(stream, failures: failures, traced: traced)
    let body = HTTPBody { () throws(BackendError) in try await reader.next() }
    let isBounded = call.request.effect != .read || !(200..<300).contains(failures.status)
    return HTTPResponse(
      status: failures.status, headers: RequestFields.answer(head),
      body: isBounded ? body.limited(to: settings.limits.body) : body)
  }
}
