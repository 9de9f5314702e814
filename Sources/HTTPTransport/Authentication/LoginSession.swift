import BackendKit
import BackendTransport
import Glibc
import Synchronization

/// Runs a login scheme: gets a token, sends it, stores it, and replaces it at most once per request.
///
/// Credentials that the user provides for every request, such as a key, are also treated as a token.
final class LoginSession: Sendable {
  private struct State {
    var token: Token?
    /// The last refused token, until another is requested.
    var dropped: Token?
    /// The last valid token without a replacement, so that its user is not treated as anonymous.
    var ended: Token?
    var isLoaded = false
    /// True if the user logged out, which prevents automatic logins.
    var isLoggedOut = false
    var running: Task<Result<Token?, BackendError>, Never>?
    var savedExpiry = 0
    /// True if the token is not written to a file.
    var isForSession = false
    var isAccepted = false
    /// The text of the refused token for which no replacement was given.
    var refused: String?
  }

  let wire: RequestSender
  let scheme: LoginScheme
  private let source: TokenSource
  private let file: TokenFile?
  /// The state of HTTP Digest with the server; nil for other schemes.
  private let digest: DigestMemory?
  private let state = Mutex(State())

  init(_ wire: RequestSender, _ scheme: LoginScheme, environment: ProxyEnvironment) throws(BackendError) {
    self.wire = wire
    self.scheme = scheme
    source = try TokenSource(wire, scheme, environment: environment)
    digest = scheme.kind == .digest ? DigestMemory() : nil
    file = source.isWorthKeeping ? wire.settings.tokenFile.map { TokenFile(path: $0) } : nil
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
    guard let first = try await token() else { return try await wire.deliver(request, authorization: nil) }
    guard source.sendsPassword, !state.withLock(\.isAccepted) else { return try await send(request, first) }
    let turns = RejectedLogins.turns(at: source.place)
    await turns.enter(1)
    if state.withLock(\.isAccepted) {
      turns.leave()
      return try await send(request, first)
    }
    defer { turns.leave() }
    // The request before may have been refused, or have replaced the token.
    guard let token = try await token() else { return try await wire.deliver(request, authorization: nil) }
    try source.checkUnrefused(token)
    return try await send(request, token)
  }

  private func send(_ request: HTTPRequest, _ token: Token) async throws(BackendError) -> HTTPResponse {
    let answer = try await deliver(request, token)
    if answer.isRedirect, request.mayWrite {
      // The write may have been done, so it is not sent again; the next one gets another session.
      if let login, login.cookie != nil, wire.leads(answer, to: login.request.path) { _ = drop(token) }
      return answer
    }
    let mayBeRejection = scheme.mayBeRejection(answer)
    guard mayBeRejection || login?.csrf?.mayBeRejection(answer.status) == true else {
      if answer.isSuccess { accept(token) }
      return answer
    }
    let body = try await answer.body.collect(limit: 1 << 20)
    let whole = answer.with(HTTPBody(whole: body))
    if let csrf = login?.csrf, token.csrf != nil, csrf.isRejection(answer.status, body) {
      guard let fresh = try await renewedAgainstForgery(token), fresh.csrf != token.csrf else { return whole }
      return try await SecondAttempt.judged(
        try await deliver(request, fresh), of: request, after: answer.status, at: "\(wire.base.origin)")
    }
    guard mayBeRejection, scheme.isRejection(answer, body), drop(token) else { return whole }
    // After a failure of the server the write may have been done; the next request gets another token.
    if answer.status >= 500, request.mayWrite { return whole }
    guard let fresh = try await renewed(), fresh.text != token.text || fresh.cookies != token.cookies else {
      state.withLock { $0.refused = token.text }
      return whole
    }
    return try await SecondAttempt.judged(
      try await deliver(request, fresh), of: request, after: answer.status, at: "\(wire.base.origin)")
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
    let changed: Token? = state.withLock { state in
      guard var held = state.token, held.text == token.text else { return nil }
      var cookies = held.cookies
      cookies.take(answer, from: wire.base.origin, now: time(nil))
      guard cookies != held.cookies else { return nil }
      held.take(cookies, login)
      return held
    }
    if let changed { try? keep(changed) }
  }

  /// Returns the session with another CSRF token: one that another request got meanwhile, one that the server provides
  /// for the session, or that of another login.
  private func renewedAgainstForgery(_ token: Token) async throws(BackendError) -> Token? {
    if let current, current.text == token.text, current.csrf != token.csrf { return current }
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
    guard let fresh else { return drop(token) ? try await renewed() : nil }
    try? keep(fresh)
    return fresh
  }

  /// The token in use, or nil. Does not log in.
  var current: Token? {
    let now = time(nil)
    return state.withLock { state in
      load(&state)
      return state.token.flatMap { $0.isValid(at: now) ? $0 : nil }
    }
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
    try begin(token, isForSession: isForSession)
    return token
  }

  /// Lets a person log in.
  func signIn(_ order: SignIn) async throws(BackendError) -> Token {
    let token = try await source.signIn(order)
    try begin(token, isForSession: order.isForSession)
    return token
  }

  private func begin(_ token: Token, isForSession: Bool) throws(BackendError) {
    state.withLock { state in
      state.isLoggedOut = false
      state.isForSession = isForSession || scheme.sentAlways != nil
    }
    try keep(token)
  }

  /// Revokes a token at the server, if there is an address for that.
  func revoke(_ token: Token) async throws(BackendError) { try await source.revoke(token) }

  /// Deletes the token, which may have expired, and prevents automatic logins until the next
  /// ``login(_:_:isForSession:)``.
  func forget() -> Token? {
    let token = state.withLock { state in
      load(&state)
      let token = state.token
      state.token = nil
      state.dropped = nil
      state.ended = nil
      state.isLoaded = true
      state.isLoggedOut = true
      return token
    }
    file?.remove()
    return token
  }

  // MARK: The token

  private enum Way {
    case token(Token)
    case wait(Task<Result<Token?, BackendError>, Never>)
    case none
  }

  /// The token for a new request; nil if nobody has logged in. Throws if the login is over, or waits for a person: an
  /// anonymous request would get another result.
  func token() async throws(BackendError) -> Token? {
    do throws(BackendError) {
      if let token = try await available() { return token }
    } catch {
      throw error.with(effect: .notSent)
    }
    let (ended, isLoggedOut) = state.withLock { ($0.ended, $0.isLoggedOut) }
    guard let ended else {
      guard scheme.isByPerson, !isLoggedOut else { return nil }
      throw BackendError(.unauthorized, "nobody is logged in at \(wire.base.origin)", effect: .notSent)
    }
    let login = ended.username.isEmpty ? "login" : "login of \(ended.username)"
    throw BackendError(.unauthorized, "the \(login) at \(wire.base.origin) is no longer valid", effect: .notSent)
  }

  /// A replacement after a request was refused; nil if there is none.
  private func renewed() async throws(BackendError) -> Token? {
    do { return try await available() } catch { throw error.with(effect: .rejected) }
  }

  private func available() async throws(BackendError) -> Token? {
    switch state.withLock({ way(&$0) }) {
    case .token(let token): return token
    case .none: return nil
    case .wait(let task):
      return try await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }.get()
    }
  }

  private func way(_ state: inout State) -> Way {
    load(&state)
    if let token = state.token, token.isValid(at: time(nil)) { return .token(token) }
    if state.isLoggedOut { return .none }
    if let running = state.running { return .wait(running) }
    let old = state.token ?? state.dropped ?? state.ended
    if let old, let other = other(than: old, state) {
      use(other, &state)
      return .token(other)
    }
    state.ended = old
    if wire.settings.credentials == nil && old?.refresh == nil { return .none }
    // One login for all requests that wait for it.
    let isRefused = state.dropped != nil
    state.dropped = nil
    let task = Task { await self.automatic(old, isRefused: isRefused) }
    state.running = task
    return .wait(task)
  }

  private func automatic(_ old: Token?, isRefused: Bool) async -> Result<Token?, BackendError> {
    defer { state.withLock { $0.running = nil } }
    do throws(BackendError) {
      var (old, token) = (old, Token?.none)
      // A refresh token may be usable only once: consoles take turns, and each takes what the one before has stored.
      let lock = old?.refresh == nil ? nil : try await keptFile?.lock()
      defer { lock?.release() }
      if let first = old {
        token = state.withLock { other(than: first, $0) }
        if token == nil {
          let newest = state.withLock { other(than: first, $0, orEnded: true) } ?? first
          // A console that cannot take the lock may have been faster.
          token = try await source.refreshed(newest) ?? state.withLock { other(than: newest, $0) }
          old = newest
        }
      }
      // The configured credentials were refused before, so they do not replace those given in their place.
      let isGiven = scheme.sentAlways != nil && state.withLock(\.isForSession)
      if token == nil, isConfigured(old), !isGiven { token = try await source.token(isRefused: isRefused) }
      guard let token else {
        // A token that cannot be renewed is not tried again with the next request.
        if var old {
          old.refresh = nil
          state.withLock { ($0.token, $0.ended) = (nil, old) }
          end(old)
        }
        return .success(nil)
      }
      // A folder that is not writable must not prevent a request.
      try? keep(token)
      return .success(token)
    } catch {
      return .failure(error)
    }
  }

  /// True if the configured credentials may replace a token: they are those of its user.
  private func isConfigured(_ token: Token?) -> Bool {
    guard let token, let user = wire.settings.user, !scheme.isByPerson else { return true }
    return token.username == user
  }

  private func keep(_ token: Token) throws(BackendError) {
    state.withLock { use(token, &$0) }
    try keptFile?.write(token, for: source.place)
  }

  private func use(_ token: Token, _ state: inout State) {
    if state.token?.text != token.text { state.isAccepted = false }
    (state.token, state.dropped, state.ended) = (token, nil, nil)
    state.isLoaded = true
    state.savedExpiry = token.expiry ?? 0
    wire.settings.keepSecret(token.secrets)
  }

  /// The file, unless the token belongs to this session only: the file may then hold another login.
  private var keptFile: TokenFile? { state.withLock(\.isForSession) ? nil : file }

  private func load(_ state: inout State) {
    if state.isLoaded { return }
    state.isLoaded = true
    state.token = stored
    if let token = state.token { wire.settings.keepSecret(token.secrets) }
    state.savedExpiry = state.token?.expiry ?? 0
  }

  /// The token in the file. That of another user than the configured one is ignored.
  private var stored: Token? { file?.read(for: source.place).flatMap { isConfigured($0) ? $0 : nil } }

  /// The token of the same user that another console has stored, on request even if it has ended; nil if there is none.
  private func other(than old: Token, _ state: State, orEnded: Bool = false) -> Token? {
    guard !state.isForSession, let token = stored, token.text != old.text, token.username == old.username,
      orEnded || token.isValid(at: time(nil))
    else { return nil }
    return token
  }

  /// Marks in the file that a login has ended, unless another console has stored another token there.
  private func end(_ token: Token) {
    guard let file = keptFile, file.read(for: source.place)?.text == token.text else { return }
    var token = token
    token.expiry = time(nil)
    try? file.write(token, for: source.place)
  }

  /// Gives up a refused token; false if it was refused before and not replaced since.
  private func drop(_ token: Token) -> Bool {
    enum Role { case current, replaced, refused }
    let role: Role = state.withLock { state in
      if state.refused == token.text { return .refused }
      guard state.token?.text == token.text else { return .replaced }
      if !state.isAccepted { source.refuse(token) }
      state.token = nil
      state.dropped = token
      return .current
    }
    // One that is renewed now is replaced in turn with other consoles.
    if role == .current, token.refresh == nil { end(token) }
    return role != .refused
  }

  private func accept(_ token: Token) {
    let saved: Token? = state.withLock { state in
      guard let held = state.token, held.text == token.text else { return nil }
      state.isAccepted = true
      guard token.sliding != nil else { return nil }
      let extended = held.extended(at: time(nil))
      state.token = extended
      // The file is updated once a minute: every call would be a write to disk.
      guard let expiry = extended.expiry, expiry - state.savedExpiry >= 60 else { return nil }
      state.savedExpiry = expiry
      return extended
    }
    if let saved { try? keptFile?.write(saved, for: source.place) }
  }
}
