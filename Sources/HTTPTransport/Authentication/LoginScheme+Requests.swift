import BackendKit

extension LoginScheme.Call {
  /// The request, with its placeholders replaced by texts.
  func request(_ texts: [String: String] = [:], effect: RequestEffect) -> HTTPRequest {
    let query = query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let content = body?.content(texts)
    return HTTPRequest(
      method, path, query: query, headers: content.map { [("Content-Type", $0.type)] } ?? [],
      body: content?.bytes, effect: effect)
  }
}

extension LoginScheme.Body {
  /// The body as it is sent.
  fileprivate func content(_ texts: [String: String]) -> (type: String, bytes: [UInt8]) {
    switch self {
    case .form(let fields):
      let pairs = fields.members.map { ($0, $1.filled(texts).plainText) }
      return ("application/x-www-form-urlencoded", Array(PercentEncoding.form(pairs).utf8))
    case .json(let object):
      return ("application/json; charset=UTF-8", Array(JSONWriter.compact(Value.object(object).filled(texts)).utf8))
    }
  }
}

extension Value {
  /// The value with its placeholders replaced, at any depth.
  fileprivate func filled(_ texts: [String: String]) -> Value {
    switch self {
    case .string(let text): .string(texts[text] ?? text)
    case .array(let elements): .array(elements.map { $0.filled(texts) })
    case .object(let object): .object(Object(object.members.map { ($0, $1.filled(texts)) }))
    case .null, .bool, .number: self
    }
  }
}

extension LoginScheme {
  /// Returns whether a response may reject the token by its status. If the session is a cookie, a redirect may, too.
  func mayBeRejection(_ answer: HTTPResponse) -> Bool {
    if case .login(let login) = kind, login.place.isCookie, answer.isRedirect { return true }
    return answer.status == 401 || rejections.contains { $0.statuses.contains(answer.status) }
  }

  /// Returns whether such a response rejects the token. The only redirect that gets here leads to the login.
  func isRejection(_ answer: HTTPResponse, _ body: [UInt8]) -> Bool {
    if answer.isRedirect { return true }
    let named = rejections.filter { $0.statuses.contains(answer.status) }
    return named.isEmpty ? answer.status == 401 : named.contains { $0.matches(answer, body) }
  }
}

extension LoginScheme.Rejection {
  fileprivate func matches(_ answer: HTTPResponse, _ body: [UInt8]) -> Bool {
    if let member {
      guard let object = (try? JSONReader.read(body))?.object, let value = member.value(in: object), value != .null
      else { return false }
      return text.map { $0 == value.plainText } ?? true
    }
    guard let text else { return true }
    let fields = answer.headers.filter { $0.0.lowercased() == "www-authenticate" }.map(\.1)
    return (fields + [String(decoding: body, as: UTF8.self)]).contains { $0.contains(text: text) }
  }
}

extension LoginScheme.OAuth2 {
  /// The fields with which a person's login begins, besides those of the protocol.
  var beginning: [(String, String)] {
    (scope.map { [("scope", $0)] } ?? []) + parameters.sorted { $0.key < $1.key }
  }

  /// Returns the form fields of the grant.
  func fields(username: String, password: String) -> [(String, String)] {
    let grant =
      grant == .password
      ? [("grant_type", "password"), ("username", username), ("password", password)]
      : [("grant_type", "client_credentials")]
    return grant + beginning
  }

  /// The request for a token with these fields and the client's credentials.
  func request(
    _ fields: [(String, String)], client: String?, secret: String?
  ) throws(BackendError) -> (HTTPRequest, Authorization?) {
    var form = fields
    var authorization: Authorization?
    if let client, let secret, clientAuthentication == .header {
      // RFC 6749, section 2.3.1: both are encoded first.
      let text = try BasicCredentials.text(PercentEncoding.encode(client), PercentEncoding.encode(secret))
      authorization = Authorization(place: .header("Authorization", prefix: "Basic"), text: text)
    } else if let client {
      form += [("client_id", client)] + (secret.map { [("client_secret", $0)] } ?? [])
    }
    let request = HTTPRequest(
      "POST", .base, headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(PercentEncoding.form(form).utf8), effect: .session)
    return (request, authorization)
  }
}
