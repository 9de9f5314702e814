import BackendKit
import BackendTransport
import Glibc

/// Runs a login scheme: sends requests with its token, and replaces a refused one at most once per request.
///
/// Credentials that the user provides for every request, such as a key, are also treated as a token.
final class LoginSession: Sendable {
  let wire: RequestSender
  let scheme: LoginScheme
  let source: TokenSource
  let store: TokenStore
  /// The state of HTTP Digest with the server; nil for other schemes.
  private let digest: DigestMemory?

  init(_ wire: RequestSender, _ scheme: LoginScheme, environment: ProxyEnvironment) throws(BackendError) {
    (self.wire, self.scheme) = (wire, scheme)
    source = try TokenSource(wire, scheme, environment: environment)
    store = TokenStore(source, scheme, wire)
    digest = scheme.kind == .digest ? DigestMemory() : nil
  }

  /// Returns the credentials that a request carries for a token.
  func authorization(_ token: Token) -> Authorization {
    var authorization = Authorization(place: scheme.place, text: token.text, digest: digest)
    (authorization.cookies, authorization.csrfToken) = (token.cookies, token.csrf)
    authorization.csrf = login?.csrf?.header
    return authorization
  }

  /// Sends a request with a token, if there is one. A password that the server has not accepted yet is sent with one
  /// request at a time.
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard let first = try await store.token() else { return try await wire.deliver(request, authorization: nil) }
    guard source.sendsPassword, !store.isAccepted else { return try await send(request, first) }
    let turns = RejectedLogins.turns(at: source.place)
    await turns.enter(1)
    if store.isAccepted {
      turns.leave()
      return try await send(request, first)
    }
    defer { turns.leave() }
    // The request before may have been refused, or have replaced the token.
    guard let token = try await store.token() else { return try await wire.deliver(request, authorization: nil) }
    try source.checkUnrefused(token)
    return try await send(request, token)
  }

  private func send(_ request: HTTPRequest, _ token: Token) async throws(BackendError) -> HTTPResponse {
    let answer = try await deliver(request, token)
    if answer.isRedirect, request.mayWrite {
      // The write may have been done, so it is not sent again; the next one gets another session.
      if let login, login.cookie != nil, wire.leads(answer, to: login.request.path) { _ = store.drop(token) }
      return answer
    }
    let mayBeRejection = scheme.mayBeRejection(answer)
    guard mayBeRejection || login?.csrf?.mayBeRejection(answer.status) == true else {
      if answer.isSuccess { store.accept(token) }
      return answer
    }
    let body = try await answer.body.collect(limit: 1 << 20)
    let whole = answer.with(HTTPBody(whole: body))
    if let csrf = login?.csrf, token.csrf != nil, csrf.isRejection(answer.status, body) {
      guard let fresh = try await renewedAgainstForgery(token), fresh.csrf != token.csrf else { return whole }
      return try await again(request, fresh, after: answer.status)
    }
    guard mayBeRejection, scheme.isRejection(answer, body), store.drop(token) else { return whole }
    // After a failure of the server the write may have been done; the next request gets another token.
    if answer.status >= 500, request.mayWrite { return whole }
    guard let fresh = try await store.renewed(), fresh.text != token.text || fresh.cookies != token.cookies else {
      store.noteUnreplaced(token)
      return whole
    }
    return try await again(request, fresh, after: answer.status)
  }

  private func again(
    _ request: HTTPRequest, _ token: Token, after status: Int
  ) async throws(BackendError) -> HTTPResponse {
    try await SecondAttempt.judged(
      try await deliver(request, token), of: request, after: status, at: "\(wire.base.origin)")
  }

  /// Sends a request with a token; with HTTP Digest again after a challenge.
  private func deliver(_ request: HTTPRequest, _ token: Token) async throws(BackendError) -> HTTPResponse {
    let nonce = digest?.nonce
    let following = login?.cookie == nil ? RequestSender.Following.all : .allBut(login?.request.path ?? .base)
    let answer = try await wire.deliver(request, authorization: authorization(token), following: following)
    take(answer, token)
    guard let digest else { return answer }
    let place = "\(wire.base.origin)"
    guard answer.status == 401, try digest.take(answer, for: nonce, at: place) else {
      digest.takeNext(answer)
      return answer
    }
    await RequestSender.pass(over: answer)
    let (fresh, second) = (digest.nonce, try await wire.deliver(request, authorization: authorization(token)))
    if second.status == 401, try digest.take(second, for: fresh, at: place) {
      throw BackendError(
        .unauthorized, "\(place) rejected as stale a nonce that it had just issued", effect: .rejected, httpStatus: 401)
    }
    digest.takeNext(second)
    return second
  }

  /// The login by a request of the service; nil for other kinds.
  private var login: LoginScheme.TokenLogin? { if case .login(let login) = scheme.kind { login } else { nil } }

  /// Adds the cookies of a response to the session, if it is a cookie.
  private func take(_ answer: HTTPResponse, _ token: Token) {
    guard let login, login.cookie != nil, answer.isSuccess, answer.header("Set-Cookie") != nil else { return }
    store.change(token) { held in
      var held = held
      var cookies = held.cookies
      cookies.take(answer, from: wire.base.origin, now: time(nil))
      guard cookies != held.cookies else { return nil }
      held.take(cookies, login)
      return held
    }
  }

  /// Returns the session with another CSRF token: one that another request got meanwhile, one that the server provides
  /// for the session, or that of another login.
  private func renewedAgainstForgery(_ token: Token) async throws(BackendError) -> Token? {
    if let current = store.current, current.text == token.text, current.csrf != token.csrf { return current }
    guard let login else { return nil }
    var fresh: Token?
    do throws(BackendError) { fresh = try await FormLogin.renewed(token, wire, login) } catch {
      // The login page may show no form to an authenticated user.
      guard error.code == .badResponse else {
        var error = error
        error.effect = .rejected
        throw error
      }
    }
    guard let fresh else { return store.drop(token) ? try await store.renewed() : nil }
    try? store.keep(fresh)
    return fresh
  }

  /// Logs in, even after refusals. What requests carry themselves is taken for this session.
  func login(_ username: String, _ password: String, isForSession: Bool) async throws(BackendError) -> Token {
    if scheme.isByPerson { throw .unsupported("this backend logs in in the browser, without a user name") }
    guard let typed = scheme.typed else { throw .unsupported(scheme.reasonAgainstLogin ?? "this backend has no login") }
    var given =
      scheme.takes.contains(.clientID)
      ? try wire.settings.credentials?([.clientID, .clientSecret], false) ?? TransportSettings.Given([:])
      : TransportSettings.Given([:])
    given.values[.username] = username
    given.values[typed] = password
    guard let token = try await source.ask(given) else { throw .unsupported("this backend has no login") }
    try store.begin(token, isForSession: isForSession)
    return token
  }

  /// Lets a person log in.
  func signIn(_ order: SignIn) async throws(BackendError) -> Token {
    let token = try await source.signIn(order)
    try store.begin(token, isForSession: order.isForSession)
    return token
  }
}
