import BackendKit
import BackendTransport

/// Describes failures of one request. Header fields, bodies and credentials are never included.
struct FailureText: Sendable {
  let origin: Origin
  let proxy: ProxyServer?
  let timeouts: TransportSettings.Timeouts
  let effect: RequestEffect
  var status = 0

  /// The error for a failure before the head of a response.
  ///
  /// - Parameter found: a more specific reason that was found afterwards.
  func beforeHead(_ failure: ResponseStream.Failure, found: FailureReason? = nil) -> BackendError {
    // The file to be sent could not be read.
    if let error = failure.source { return error.with(effect: effect(isSent: failure.isSent)) }
    let reason = found ?? failure.reason
    var cause: String?
    if case .other(let words) = reason { cause = words }
    if reason == .cancelled { return cancelled(isSent: failure.isSent) }
    let (code, message, hint) = words(reason, isSent: failure.isSent)
    return BackendError(code, message, effect: effect(isSent: failure.isSent), hint: hint, cause: cause)
  }

  /// The error for a failure within the body.
  func inBody(_ failure: ResponseStream.Failure) -> BackendError {
    let known: BackendError.Effect =
      !effect.mayWrite || BackendError.Effect(ofWriteAnswered: status) == .rejected ? .rejected : .unknown
    switch failure.reason {
    case .cancelled: return cancelled(isSent: true)
    case .firstByteTimedOut, .totalTimedOut, .connectTimedOut:
      return BackendError(
        .timedOut, "the response of \(origin) took longer than \(text(timeouts.total))", effect: known,
        httpStatus: status)
    case .partTimedOut:
      return BackendError(
        .timedOut, "the response of \(origin) stalled for \(text(timeouts.firstByte))", effect: known,
        httpStatus: status)
    case .garbled(let what):
      return BackendError(.badResponse, "\(what) (from \(origin))", effect: known, httpStatus: status)
    default:
      return BackendError(
        .badResponse, "the response of \(origin) ended early", effect: known, httpStatus: status)
    }
  }

  /// The error of a repeated request whose previous attempt may have reached the server.
  func sentAgain(_ error: BackendError) -> BackendError {
    guard error.effect != .unknown else { return error }
    var open = BackendError(
      error.code == .cancelled ? .cancelled : .unavailable,
      "\(place) closed the connection before it responded, and when the request was sent again: \(error.message)",
      effect: .unknown, hint: "check the record before retrying")
    open.httpStatus = error.httpStatus
    return open
  }

  /// The error for a response other than success to a repeated request, if the previous attempt may have reached the
  /// server: the request may have been refused because it was done, or may still be done.
  func sentAgain(_ answer: HTTPResponse) -> BackendError {
    BackendError(
      .unavailable,
      "\(place) closed the connection before it responded, and responded with status \(answer.status) when the request was sent again",
      effect: .unknown, hint: "check the record before retrying", httpStatus: answer.status)
  }

  /// The error for a cancellation by the user.
  func cancelled(isSent: Bool) -> BackendError {
    BackendError(.cancelled, "the request was stopped", effect: isSent && effect.mayWrite ? .unknown : .notSent)
  }

  /// Returns the effect on the server's data if no response arrived.
  func effect(isSent: Bool) -> BackendError.Effect {
    if !isSent { return .notSent }
    return effect.mayWrite ? .unknown : .rejected
  }

  private var place: String {
    proxy.map { "\(origin) through the proxy \($0.host):\($0.port)" } ?? "\(origin)"
  }

  private func words(_ reason: FailureReason, isSent: Bool) -> (BackendError.Code, String, String?) {
    let running = "check the address, and that the server is running"
    return switch reason {
    case .noConnection(let why, let hint): (.unavailable, "cannot connect to \(place): \(why)", hint ?? running)
    case .unknownHost: (.unavailable, "cannot connect to \(place): unknown host name", "check the address")
    case .refusedHandshake(let alert):
      (
        .unavailable, "cannot connect securely to \(place): the server refused the TLS handshake (\(alert.words))",
        alert.mayBeOfCertificate
          ? "it may want a client certificate, or another one: `cert` and `key` under `tls`" : "check the address"
      )
    case .untrusted:
      (.unavailable, "cannot connect securely to \(place): the certificate is not trusted", FailureReason.trust)
    case .insecure(let why, let hint): (.unavailable, "cannot connect securely to \(place): \(why)", hint)
    case .connectTimedOut:
      (.timedOut, "cannot connect to \(place): no response within \(text(timeouts.connect))", running)
    case .firstByteTimedOut: (.timedOut, "no response from \(place) within \(text(timeouts.firstByte))", nil)
    case .totalTimedOut: (.timedOut, "no response from \(place) within \(text(timeouts.total))", nil)
    case .garbled(let what): (.badResponse, "\(what) (from \(place))", "check the address")
    case .unsendable(let what): (.invalid, what, nil)
    case .closed, .other, .cancelled, .partTimedOut, .shown:
      (.unavailable, "\(place) closed the connection before it responded", nil)
    }
  }

  private func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds) s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
