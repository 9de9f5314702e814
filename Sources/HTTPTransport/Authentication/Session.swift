import BackendKit
import BackendTransport
import Glibc
import Synchronization

/// Runs a login scheme: gets a token, sends it along, keeps it, and gets another at most once for a request.
final class Session: Sendable {
  private struct State {
    var token: Token?
    var isLoaded = false
    /// Whether the operator logged out: nobody logs in again by himself then.
    var isLoggedOut = false
    var running: Task<Result<Token?, BackendError>, Never>?
    var savedExpiry = 0
    /// Whether the token is written to no file.
    var isForSession = false
  }

  let wire: Wire
  let scheme: LoginScheme
  private let file: TokenFile?
  private let state = Mutex(State())

  init(_ wire: Wire, _ scheme: LoginScheme) {
    self.wire = wire
    self.scheme = scheme
    file = wire.settings.tokenFile.map { TokenFile(path: $0) }
  }

  private var place: String { "\(wire.base.origin)\(wire.base.prefix)" }

  /// Sends a request with a token where there is one.
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    guard let token = try await token() else { return try await wire.deliver(request, authorization: nil) }
    let answer = try await wire.deliver(request, authorization: scheme.authorization(token))
    if answer.status != 401 {
      if answer.isSuccess { extend(token) }
      return answer
    }
    let body = try await answer.body.collect(limit: 1 << 20)
    let whole = HTTPAnswer(status: 401, headers: answer.headers, body: HTTPBody(whole: body))
    guard scheme.isRejection(answer, body) else { return whole }
    drop(token)
    guard let fresh = try await renewed() else { return whole }
    return try await wire.deliver(request, authorization: scheme.authorization(fresh))
  }

  /// The token in use, or nil. Logs nobody in.
  var current: Token? {
    let now = time(nil)
    return state.withLock { state in
      load(&state)
      return state.token.flatMap { $0.isValid(at: now) ? $0 : nil }
    }
  }

  /// Logs in, whatever was refused before.
  func login(_ username: String, _ password: String, isForSession: Bool) async throws(BackendError) -> Token {
    let token = try await ask(username, password)
    state.withLock { state in
      state.isLoggedOut = false
      state.isForSession = isForSession
    }
    try keep(token)
    return token
  }

  /// Forgets the token and lets nobody log in by himself until the next ``login(_:_:isForSession:)``.
  func forget() {
    state.withLock { state in
      state.token = nil
      state.isLoaded = true
      state.isLoggedOut = true
    }
    file?.remove()
  }

  // MARK: The token

  private enum Way {
    case token(Token)
    case wait(Task<Result<Token?, BackendError>, Never>)
    case anonymous
  }

  private func token() async throws(BackendError) -> Token? {
    switch state.withLock({ way(&$0) }) {
    case .token(let token): return token
    case .anonymous: return nil
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
    if state.isLoggedOut || wire.settings.credentials == nil { return .anonymous }
    if let running = state.running { return .wait(running) }
    // One login for all requests that wait for it.
    let task = Task { await self.automatic() }
    state.running = task
    return .wait(task)
  }

  private func renewed() async throws(BackendError) -> Token? {
    do { return try await token() } catch {
      var error = error
      // The request itself was answered with a refusal.
      error.effect = .rejected
      throw error
    }
  }

  private func automatic() async -> Result<Token?, BackendError> {
    defer { state.withLock { $0.running = nil } }
    do throws(BackendError) {
      guard let (username, password) = try wire.settings.credentials?() else { return .success(nil) }
      let attempt = Refusals.Attempt(address: place, username: username, password: password)
      guard !Refusals.contains(attempt) else {
        throw BackendError(
          .unauthorized, "\(wire.base.origin) refused the login of \(username) before", effect: .notSent,
          hint: "it is not tried again by itself; log in with the right password")
      }
      let token = try await ask(username, password)
      // A folder that cannot be written to is no reason to refuse a request that can be made.
      try? keep(token)
      return .success(token)
    } catch {
      return .failure(error)
    }
  }

  private func ask(_ username: String, _ password: String) async throws(BackendError) -> Token {
    wire.settings.keepSecret([password])
    let attempt = Refusals.Attempt(address: place, username: username, password: password)
    let answer = try await wire.deliver(scheme.loginRequest(username, password), authorization: nil)
    let reader = LoginAnswer(scheme: scheme, place: "\(wire.base.origin)")
    switch try await reader.outcome(answer, username: username, password: password, now: time(nil)) {
    case .refused(let error):
      Refusals.add(attempt)
      throw error
    case .token(let token):
      Refusals.remove(attempt)
      return token
    }
  }

  private func keep(_ token: Token) throws(BackendError) {
    state.withLock { state in
      state.token = token
      state.isLoaded = true
      state.savedExpiry = token.expiry ?? 0
    }
    wire.settings.keepSecret([token.text])
    try keptFile?.write(token, for: place)
  }

  /// The file, unless the token belongs to this session alone: what the file then keeps is another login.
  private var keptFile: TokenFile? { state.withLock(\.isForSession) ? nil : file }

  private func load(_ state: inout State) {
    if state.isLoaded { return }
    state.isLoaded = true
    state.token = file?.read(for: place)
    if let token = state.token { wire.settings.keepSecret([token.text]) }
    state.savedExpiry = state.token?.expiry ?? 0
  }

  private func drop(_ token: Token) {
    let isCurrent = state.withLock { state in
      guard state.token?.text == token.text else { return false }
      state.token = nil
      return true
    }
    if isCurrent { keptFile?.remove() }
  }

  private func extend(_ token: Token) {
    guard token.sliding != nil else { return }
    let saved: Token? = state.withLock { state in
      guard let held = state.token, held.text == token.text else { return nil }
      let extended = held.extended(at: time(nil))
      state.token = extended
      // The file follows once a minute: every call would be a write to disk.
      guard let expiry = extended.expiry, expiry - state.savedExpiry >= 60 else { return nil }
      state.savedExpiry = expiry
      return extended
    }
    if let saved { try? keptFile?.write(saved, for: place) }
  }
}
