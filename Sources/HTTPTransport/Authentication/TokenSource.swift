import BackendKit
import BackendTransport
import Glibc

/// Gets a token: from the user's credentials alone, or from the server in exchange for them.
struct TokenSource: Sendable {
  private let wire: RequestSender
  private let scheme: LoginScheme
  /// The endpoints of the OAuth 2 server, if the scheme has one.
  private let endpoints: OAuth2Endpoints?
  private let carried: CarriedCredentials

  init(_ wire: RequestSender, _ scheme: LoginScheme, environment: ProxyEnvironment) throws(BackendError) {
    (self.wire, self.scheme) = (wire, scheme)
    carried = CarriedCredentials(scheme: scheme, keepSecret: wire.settings.keepSecret)
    let oauth2: LoginScheme.OAuth2? = if case .oauth2(let oauth2) = scheme.kind { oauth2 } else { nil }
    endpoints = try oauth2.map { oauth2 throws(BackendError) in
      try OAuth2Endpoints(oauth2, wire, environment: environment)
    }
  }

  /// True if a token may be stored for later runs. Credentials that the user provides are stored elsewhere already.
  var isWorthKeeping: Bool { scheme.sentAlways == nil }

  /// True if a password is sent with each request: repeated refusals may lock an account.
  var sendsPassword: Bool { scheme.kind == .basic || scheme.kind == .digest }

  /// The identity of a stored token: another server or scope needs another one, and of a person's login another client.
  var place: String {
    guard case .oauth2(let oauth2) = scheme.kind else { return server }
    let client = scheme.isByPerson ? " \(wire.settings.user ?? "")" : ""
    return "\(server) \(oauth2.tokenURL ?? oauth2.issuer ?? "") \(oauth2.scope ?? "")\(client)"
  }

  private var server: String { "\(wire.base)" }

  /// Returns the token for the configured credentials; nil if they are not enough to log in. A refused attempt is not
  /// repeated.
  ///
  /// - Parameter isRefused: whether the server has refused the previous ones.
  func token(isRefused: Bool) async throws(BackendError) -> Token? {
    guard let credentials = wire.settings.credentials, !scheme.isByPerson else { return nil }
    let given = try credentials(scheme.takes, isRefused)
    guard scheme.needs.allSatisfy({ given.values[$0] != nil }) else { return nil }
    wire.settings.keepSecret(given.secrets)
    let isCarried = scheme.sentAlways != nil
    if sendsPassword || !isCarried, RejectedLogins.contains(attempt(given)) {
      // The server's own refusal is more informative than that it was not asked again.
      if isCarried, isRefused { return nil }
      throw refusedBefore("the \(isCarried ? "user name and password" : "login") of \(given.name)")
    }
    return isCarried ? try carried.token(given) : try await ask(given)
  }

  /// Requests a token from the server, even after refusals.
  func ask(_ given: TransportSettings.Given) async throws(BackendError) -> Token? {
    wire.settings.keepSecret(given.secrets)
    let values = given.values
    let (name, password) = (values[.username] ?? "", values[.password] ?? "")
    let outcome: LoginAnswer.Outcome
    switch scheme.kind {
    case .basic, .digest, .bearer, .key:
      RejectedLogins.remove(attempt(given))
      return try carried.token(given)
    case .login(let login):
      let texts = ["$username": name, "$password": password]
      let reader = LoginAnswer(
        fields: login.response, place: "\(wire.base.origin)", path: "\(login.request.path)", username: name,
        request: "the login of \(name)", hint: "check user name and password", secrets: given.secrets)
      if login.isForm {
        var form = FormLogin(wire, login)
        outcome = try await form.token(reader, texts)
      } else {
        let answer = try await wire.deliver(login.request.request(texts, effect: .session), authorization: nil)
        outcome = try await reader.outcome(answer, now: time(nil))
      }
    case .oauth2(let oauth2):
      guard let endpoint = try await endpoints?.required(.token), !scheme.isByPerson else { return nil }
      let isPassword = oauth2.grant == .password
      let answer = try await endpoint.deliver(oauth2.fields(username: name, password: password), values)
      let reader = reader(
        isPassword ? "the login of \(name)" : "a token to the client \(values[.clientID] ?? "")", at: endpoint,
        hint: isPassword ? "check user name and password" : "check client ID, client secret and scope", given,
        scope: oauth2.scope)
      outcome = try await reader.outcome(answer, now: time(nil))
    }
    switch outcome {
    case .refused(let error):
      RejectedLogins.add(attempt(given))
      throw error
    case .token(let token):
      RejectedLogins.remove(attempt(given))
      return token
    }
  }

  /// Lets a person log in, in a browser or with a code for another device.
  func signIn(_ order: SignIn) async throws(BackendError) -> Token {
    guard case .oauth2(let oauth2) = scheme.kind, let endpoints, scheme.isByPerson else {
      throw .unsupported("the login of this backend takes a user name and a password")
    }
    let given = try client()
    guard given.values[.clientID] != nil else {
      throw .misconfigured(
        "a login in the browser needs a client ID", hint: "write \"clientID\" into the credentials of the backend")
    }
    let token = try await endpoints.required(.token)
    var usesDevice = oauth2.grant == .device
    if !usesDevice, order.prefersDevice { usesDevice = try await endpoints.endpoint(.device) != nil }
    let keepSecret = wire.settings.keepSecret
    let answer =
      usesDevice
      ? try await DeviceLogin(oauth2: oauth2, endpoints: endpoints, values: given.values, keepSecret: keepSecret)
        .answer(order.show)
      : try await BrowserLogin(oauth2: oauth2, endpoints: endpoints, values: given.values, keepSecret: keepSecret)
        .answer(order.show)
    let reader = reader(
      "the login", at: token, hint: "log in again, or check client ID, client secret and scope", given,
      scope: oauth2.scope)
    switch try await reader.outcome(answer, now: time(nil)) {
    case .refused(let error): throw error
    case .token(let token): return token
    }
  }

  /// Exchanges the refresh token of an expired token; nil if it has none, or the server refuses it.
  func refreshed(_ old: Token) async throws(BackendError) -> Token? {
    guard let refresh = old.refresh else { return nil }
    let answer: HTTPResponse
    let reader: LoginAnswer
    switch scheme.kind {
    case .basic, .digest, .bearer, .key: return nil
    case .login(let login):
      guard let call = login.refresh else { return nil }
      let request = call.request(["$token": old.text, "$refreshToken": refresh], effect: .session)
      answer = try await wire.deliver(request, authorization: nil)
      reader = LoginAnswer(
        fields: login.response, place: "\(wire.base.origin)", path: "\(call.path)", username: old.username,
        request: "to renew the login of \(old.username)", hint: "log in again", secrets: old.secrets)
    case .oauth2:
      guard let endpoint = try await endpoints?.required(.token) else { return nil }
      let given = try client()
      answer = try await endpoint.deliver(
        [("grant_type", "refresh_token"), ("refresh_token", refresh)], given.values)
      reader = self.reader(
        "to renew the login of \(old.username)", at: endpoint, hint: "log in again", given, scope: old.scope)
    }
    switch try await reader.outcome(answer, now: time(nil)) {
    case .refused: return nil
    case .token(var token):
      // If the server returns no other refresh token, this one stays valid.
      token.username = old.username
      token.refresh = token.refresh ?? refresh
      return token
    }
  }

  /// Revokes a token and its refresh token at the server (RFC 7009). Sends both even if the first is refused, and
  /// nothing if the address is unknown.
  func revoke(_ token: Token) async throws(BackendError) {
    guard let endpoint = try await endpoints?.endpoint(.revocation) else { return }
    let given = try client()
    wire.settings.keepSecret(token.secrets)
    var failure: BackendError?
    for (text, hint) in [(token.refresh, "refresh_token"), (token.text, "access_token")] {
      guard let text else { continue }
      do throws(BackendError) {
        let answer = try await endpoint.deliver([("token", text), ("token_type_hint", hint)], given.values)
        if answer.isSuccess { continue }
        throw BackendError(
          .badResponse, "\(endpoint.sender.base) responded to the revocation with status \(answer.status)",
          effect: .unknown)
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Notes that credentials were refused, if repetition may lock an account and they were never accepted.
  func refuse(_ token: Token) {
    guard sendsPassword else { return }
    RejectedLogins.add(attempt(token))
  }

  /// Throws if a password about to be sent was refused before.
  func checkUnrefused(_ token: Token) throws(BackendError) {
    guard RejectedLogins.contains(attempt(token)) else { return }
    throw refusedBefore("the user name and password of \(token.username)")
  }

  private func attempt(_ token: Token) -> RejectedLogins.Attempt {
    RejectedLogins.Attempt(address: place, username: token.username, password: token.text)
  }

  private func reader(
    _ request: String, at endpoint: OAuth2Endpoint, hint: String, _ given: TransportSettings.Given, scope: String?
  ) -> LoginAnswer {
    let base = endpoint.sender.base
    return LoginAnswer(
      fields: LoginScheme.TokenResponse(), place: "\(base.origin)", path: String(base.path.dropFirst()),
      username: scheme.isByPerson ? "" : given.name, request: request, hint: hint, secrets: given.secrets,
      scope: scope)
  }

  /// The credentials of the client.
  private func client() throws(BackendError) -> TransportSettings.Given {
    let given = try wire.settings.credentials?([.clientID, .clientSecret], false) ?? TransportSettings.Given([:])
    wire.settings.keepSecret(given.secrets)
    return given
  }

  /// The address that issues tokens.
  private var endpoint: String {
    if case .login(let login) = scheme.kind { "\(place) \(login.request.path)" } else { place }
  }

  /// Returns credentials in the form in which their refusal is noted.
  private func attempt(_ given: TransportSettings.Given) -> RejectedLogins.Attempt {
    let secret = given.values[.password] ?? given.values[.clientSecret] ?? ""
    return RejectedLogins.Attempt(
      address: endpoint, username: given.name, password: (try? carried.password(given)) ?? secret)
  }

  private func refusedBefore(_ what: String) -> BackendError {
    let advice =
      scheme.reasonAgainstLogin == nil
      ? "log in with the right password" : "correct the credentials in the configuration"
    return BackendError(
      .unauthorized, "\(wire.base.origin) rejected \(what) before", effect: .notSent,
      hint: "it is not retried automatically; \(advice)")
  }
}
