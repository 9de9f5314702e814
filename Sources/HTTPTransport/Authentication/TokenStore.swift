import BackendKit
import BackendTransport
import Glibc
import Synchronization

/// The token of a login: in memory, in its file, and replaced when it has ended or was refused.
///
/// Credentials that the user provides for every request, such as a key, are also treated as a token.
final class TokenStore: Sendable {
  private typealias Login = Task<Result<Token?, BackendError>, Never>

  private struct State {
    var token: Token?
    /// The last refused token, until another is requested.
    var dropped: Token?
    /// The last valid token without a replacement, so that its user is not treated as anonymous.
    var ended: Token?
    var isLoaded = false
    /// True if the user logged out, which prevents automatic logins.
    var isLoggedOut = false
    var running: Login?
    var savedExpiry = 0
    /// True if the token is not written to a file.
    var isForSession = false
    var isAccepted = false
    /// The text of the refused token for which no replacement was given.
    var refused: String?
  }

  private let source: TokenSource
  private let scheme: LoginScheme
  private let wire: RequestSender
  private let file: TokenFile?
  private let state = Mutex(State())

  init(_ source: TokenSource, _ scheme: LoginScheme, _ wire: RequestSender) {
    (self.source, self.scheme, self.wire) = (source, scheme, wire)
    file = source.isWorthKeeping ? wire.settings.tokenFile.map { TokenFile(path: $0) } : nil
  }

  /// True once the server has accepted the token.
  var isAccepted: Bool { state.withLock(\.isAccepted) }

  /// The token in use, or nil. Does not log in.
  var current: Token? {
    let now = time(nil)
    return state.withLock { state in
      load(&state)
      return state.token.flatMap { $0.isValid(at: now) ? $0 : nil }
    }
  }

  /// Takes the token of a login that a user asked for.
  func begin(_ token: Token, isForSession: Bool) throws(BackendError) {
    state.withLock { ($0.isLoggedOut, $0.isForSession) = (false, isForSession || scheme.sentAlways != nil) }
    try keep(token)
  }

  /// Deletes the token, which may have expired, and prevents automatic logins until the next ``begin(_:isForSession:)``.
  func forget() -> Token? {
    let token = state.withLock { state in
      load(&state)
      let token = state.token
      (state.token, state.dropped, state.ended) = (nil, nil, nil)
      state.isLoggedOut = true
      return token
    }
    file?.remove()
    return token
  }

  /// Notes that a refused token was not replaced.
  func noteUnreplaced(_ token: Token) { state.withLock { $0.refused = token.text } }

  /// Puts another version of a token in its place, unless another token is there.
  func change(_ token: Token, _ change: (Token) -> Token?) {
    let changed: Token? = state.withLock { state in
      guard let held = state.token, held.text == token.text else { return nil }
      return change(held)
    }
    if let changed { try? keep(changed) }
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
  func renewed() async throws(BackendError) -> Token? {
    do { return try await available() } catch { throw error.with(effect: .rejected) }
  }

  private func available() async throws(BackendError) -> Token? {
    let (token, login) = state.withLock { next(&$0) }
    guard let login else { return token }
    return try await withTaskCancellationHandler {
      await login.value
    } onCancel: {
      login.cancel()
    }.get()
  }

  /// A token, the login to wait for, or neither.
  private func next(_ state: inout State) -> (Token?, Login?) {
    load(&state)
    if let token = state.token, token.isValid(at: time(nil)) { return (token, nil) }
    if state.isLoggedOut { return (nil, nil) }
    if let running = state.running { return (nil, running) }
    let old = state.token ?? state.dropped ?? state.ended
    if let old, let other = other(than: old, state) {
      use(other, &state)
      return (other, nil)
    }
    state.ended = old
    if wire.settings.credentials == nil && old?.refresh == nil { return (nil, nil) }
    // One login for all requests that wait for it.
    let isRefused = state.dropped != nil
    state.dropped = nil
    state.running = Task { await self.automatic(old, isRefused: isRefused) }
    return (nil, state.running)
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
        guard var old else { return .success(nil) }
        old.refresh = nil
        state.withLock { ($0.token, $0.ended) = (nil, old) }
        end(old)
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

  func keep(_ token: Token) throws(BackendError) {
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
    (state.isLoaded, state.token) = (true, stored)
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
  func drop(_ token: Token) -> Bool {
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

  func accept(_ token: Token) {
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
