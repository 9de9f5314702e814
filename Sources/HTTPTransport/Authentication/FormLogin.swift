import BackendKit
import BackendTransport
import Glibc

/// A login whose session is a cookie, or that needs a token against forged requests: both are kept from one request to
/// the next.
struct FormLogin: Sendable {
  private let wire: RequestSender
  private let login: LoginScheme.TokenLogin
  private var cookies: SessionCookies
  private var csrf: String?

  init(_ wire: RequestSender, _ login: LoginScheme.TokenLogin, cookies: SessionCookies = SessionCookies()) {
    (self.wire, self.login, self.cookies) = (wire, login, cookies)
  }

  /// The token for name and password, by what the server answers.
  mutating func token(_ reader: LoginAnswer, _ texts: [String: String]) async throws(BackendError)
    -> LoginAnswer.Outcome
  {
    let isFirst = isGivenBefore
    if isFirst { csrf = try await fetched() }
    var texts = texts
    texts["$csrf"] = csrf
    let answer = try await send(login.request.request(texts, effect: .session))
    cookies.take(answer, from: wire.base.origin, now: time(nil))
    let (outcome, document) = try await outcome(of: answer, reader)
    guard case .token(var token) = outcome else { return outcome }
    if case .member(let path) = login.csrf?.source, login.csrf?.request == nil {
      csrf = path.value(in: document)?.text
    } else if let source = login.csrf, !isFirst || source.isCookie {
      csrf = source.isCookie ? cookie(source) ?? csrf : try await fetched()
    }
    if let name = login.cookie { cookies.set(name, token.text) }
    (token.cookies, token.csrf) = (cookies, csrf)
    return .token(token)
  }

  /// The session's cookies and a new token against forged requests from the server; nil if only a login provides one.
  static func renewed(
    _ token: Token, _ wire: RequestSender, _ login: LoginScheme.TokenLogin
  ) async throws(BackendError) -> Token? {
    guard login.csrf?.request != nil else { return nil }
    var form = FormLogin(wire, login, cookies: token.cookies)
    var token = token
    token.csrf = try await form.fetched()
    token.take(form.cookies, login)
    return token
  }

  /// True if the token against forged requests is requested before the login.
  private var isGivenBefore: Bool {
    guard let csrf = login.csrf, csrf.request != nil else { return false }
    if case .member = csrf.source { return login.request.body?.holdsCSRFToken == true }
    return true
  }

  private func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    var authorization = Authorization(place: .cookie(login.cookie ?? ""), text: "")
    (authorization.cookies, authorization.csrf) = (cookies, login.csrf?.header)
    authorization.csrfToken = csrf
    return try await wire.deliver(
      request, authorization: authorization, following: request.effect == .read ? .all : .none, isSecret: true)
  }

  /// Asks for the token against forged requests.
  private mutating func fetched() async throws(BackendError) -> String? {
    guard let source = login.csrf, let call = source.request else { return nil }
    let place = "\(wire.base.origin)"
    let answer = try await send(call.request(effect: .read))
    cookies.take(answer, from: wire.base.origin, now: time(nil))
    guard answer.isSuccess else {
      await RequestSender.pass(over: answer)
      throw BackendError(
        answer.status >= 500 ? .unavailable : .badResponse,
        "\(place) responded with status \(answer.status) when asked for a CSRF token at /\(call.path)", effect: .notSent
      )
    }
    let page = try await answer.body.collect(limit: 4 << 20)
    let found: String? =
      switch source.source {
      case .cookie: cookie(source)
      case .field(let name): PageField.value(of: name, in: page)
      case .member(let path): (try? JSONReader.read(page))?.object.flatMap { path.value(in: $0)?.text }
      }
    guard let found, Token.isUsable(found) else {
      throw BackendError(
        .badResponse, "\(place) returns no CSRF token at /\(call.path): \(source.words) is missing", effect: .notSent,
        hint: "check the \"csrf\" settings of the login")
    }
    wire.settings.keepSecret([found])
    return found
  }

  private func cookie(_ source: LoginScheme.CSRFToken) -> String? {
    if case .cookie(let name) = source.source { cookies[name] } else { nil }
  }

  /// Returns the outcome of the login, and the document of the response.
  private func outcome(
    of answer: HTTPResponse, _ reader: LoginAnswer
  ) async throws(BackendError) -> (LoginAnswer.Outcome, Object) {
    let bytes = try await answer.body.collect(limit: 1 << 20)
    let whole = HTTPResponse(status: answer.status, headers: answer.headers, body: HTTPBody(whole: bytes))
    if login.csrf?.isRejection(answer.status, bytes) == true {
      let error = BackendError(
        .badResponse, "\(wire.base.origin) refuses the CSRF token of the login", effect: .rejected,
        hint: "check the \"csrf\" settings of the login")
      // The password was sent with it.
      return (.refused(error), Object())
    }
    let document = (try? JSONReader.read(bytes))?.object ?? Object()
    guard let name = login.cookie, login.response.token == nil else {
      return (try await reader.outcome(whole, now: time(nil)), document)
    }
    guard answer.isSuccess || answer.isRedirect else {
      return (try await reader.outcome(whole, now: time(nil)), document)
    }
    // A form that is shown again, or led back to, is a refusal.
    let isShownAgain = answer.isSuccess ? PageField.asksForPassword(bytes) : wire.leads(answer, to: login.request.path)
    guard !isShownAgain, let text = cookies[name] else { return (reader.refusal(document), document) }
    return (.token(reader.token(text, document, now: time(nil))), document)
  }
}

extension LoginScheme.TokenLogin {
  /// The name of the session's cookie; nil where the session is none.
  var cookie: String? { if case .cookie(let name) = place { name } else { nil } }

  /// True if the requests of the login depend on each other.
  var isForm: Bool { csrf != nil || place.isCookie }
}

extension LoginScheme.CSRFToken {
  /// The statuses by which services refuse a request for its token, each a refusal of the whole request. With a 400 or 422
  /// they refuse values too, and may repeat one: those count where the configuration says what the refusal says.
  private var statuses: Set<Int> { rejections.isEmpty ? [403, 419] : [400, 403, 419, 422] }

  fileprivate var isCookie: Bool { if case .cookie = source { true } else { false } }

  fileprivate var words: String {
    switch source {
    case .cookie(let name): "the cookie \(name)"
    case .field(let name): "the field \(name)"
    case .member(let path): path.text
    }
  }

  /// Returns whether a response with this status may reject the token.
  func mayBeRejection(_ status: Int) -> Bool { statuses.contains(status) }

  /// Returns whether a response rejects the token, so that the request had no effect.
  func isRejection(_ status: Int, _ body: [UInt8]) -> Bool {
    guard mayBeRejection(status) else { return false }
    let text = String(decoding: body, as: UTF8.self)
    return (rejections.isEmpty ? ["CSRF", "csrf"] : rejections).contains { text.contains(text: $0) }
  }
}
