public import BackendKit
public import BackendTransport
import Glibc

extension HTTPTransport {
  /// The authenticated user, if there is a usable token. Sends nothing.
  public var loggedIn: Login? {
    guard let session, session.scheme.sentAlways == nil else { return nil }
    return session.store.current.map(Login.init)
  }

  /// Logs in and stores the token, in the file of the settings unless it is for this session only. Throws
  /// `unauthorized` if the server refuses.
  public func login(
    username: String, password: String, isForSession: Bool = false
  ) async throws(BackendError) -> Login {
    Login(try await required().login(username, password, isForSession: isForSession))
  }

  /// Lets a person log in and stores the token in the same way.
  public func signIn(_ order: SignIn) async throws(BackendError) -> Login {
    Login(try await required().signIn(order))
  }

  /// Logs out at the server, by the scheme's request or by revoking the token, and deletes the token even if the server
  /// cannot be reached or refuses. Returns false if no user was logged in. After that there is no automatic login until
  /// ``login(username:password:isForSession:)``.
  public func logout() async throws(BackendError) -> Bool {
    let session = try required()
    let token = session.store.current
    let held = session.store.forget()
    do throws(BackendError) {
      switch session.scheme.kind {
      case .login(let login):
        if let token, let logout = login.logout { try await leave(logout, token, session) }
      case .oauth2:
        // The refresh token may be valid for longer than the token.
        if let held, token != nil || held.refresh != nil { try await session.source.revoke(held) }
      case .basic, .digest, .bearer, .key: break
      }
    } catch {
      var error = error
      error.hint = "the token is deleted locally; it may still be valid on the server"
      throw error
    }
    return token != nil
  }

  private func leave(_ logout: LoginScheme.Call, _ token: Token, _ session: LoginSession) async throws(BackendError) {
    let texts = ["$token": token.text, "$refreshToken": token.refresh ?? "", "$csrf": token.csrf ?? ""]
    let answer = try await wire.deliver(
      logout.request(texts, effect: .session), authorization: session.authorization(token),
      following: session.scheme.place.isCookie ? .none : .all)
    // A token that the server does not recognize is logged out.
    guard answer.isSuccess || answer.isRedirect || [400, 401, 404].contains(answer.status) else {
      throw BackendError(
        .badResponse, "\(address) responded to the logout with status \(answer.status)", effect: .unknown)
    }
  }

  /// The authenticated user according to the server: the fields that the scheme names, in its order. With OAuth 2 the
  /// user, the end and the scope of the token follow.
  public func identity() async throws(BackendError) -> Object {
    let session = try required()
    guard case .oauth2 = session.scheme.kind else { return try await identity(session) }
    guard let token = try await session.store.token() else {
      throw BackendError(.unauthorized, "not logged in at \(address)", effect: .notSent)
    }
    var facts = session.scheme.identity == nil ? Object() : try await identity(session)
    for (name, value) in token.facts where facts[name] == nil { facts[name] = value }
    return facts
  }

  private func identity(_ session: LoginSession) async throws(BackendError) -> Object {
    guard let call = session.scheme.identity else {
      // The service was told who it is, even if it does not say it again.
      if session.scheme.sentAlways == nil, let token = session.store.current, !token.username.isEmpty {
        return Object(token.facts)
      }
      throw .unsupported(
        session.scheme.sentAlways.map {
          "whoami is not supported: no identity request is configured (the backend sends \($0))"
        }
          ?? "this service does not report who is logged in")
    }
    let answer = try await send(call.request(effect: .read))
    switch answer.status {
    case 200..<300: break
    case 401: throw BackendError(.unauthorized, "not logged in at \(address)", effect: .rejected)
    // Many services respond so to anonymous requests; for a user it means something else.
    case 403 where session.store.current == nil, 404 where session.store.current == nil:
      throw BackendError(.unauthorized, "not logged in at \(address)", effect: .rejected)
    default:
      let words = BackendError.quoted(answer.words(in: try await answer.explanation())).map { ": \($0)" } ?? ""
      throw .badResponse(
        "\(address) responded with status \(answer.status) when asked who is logged in\(words)",
        httpStatus: answer.status)
    }
    guard let object = try await answer.body.json().object else {
      throw .badResponse("\(address) does not report who is logged in")
    }
    let fields = session.scheme.identityFields
    return fields.isEmpty ? object : Object(fields.compactMap { name in object[name].map { (name, $0) } })
  }

  private func required() throws(BackendError) -> LoginSession {
    guard let session else { throw .unsupported("this backend has no login") }
    return session
  }
}

extension Login {
  fileprivate init(_ token: Token) {
    self.init(
      username: token.username, lifetime: token.expiry.map { $0 - time(nil) }, isSliding: token.sliding != nil,
      scope: token.scope)
  }
}
