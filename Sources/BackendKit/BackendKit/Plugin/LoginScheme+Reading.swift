extension LoginScheme {
  /// A mistake in a written scheme, with its place and correction.
  public struct Mistake: Error, Sendable, Hashable {
    /// The names that lead to it.
    public var path: [String]
    /// The problem, as a clause.
    public var message: String
    /// The correction, as a clause.
    public var hint: String?
    /// The allowed names, if one is unknown.
    public var known: [String] = []
  }

  /// The kinds by their written names.
  public static let kinds = ["basic", "digest", "bearer", "key", "login", "oauth2"]

  /// Reads a written scheme, for example `{"kind": "key", "header": "X-Api-Key"}`. It holds no secrets.
  public init(reading value: Value) throws(Mistake) {
    let reader = try Reader(value, [])
    let shared = ["kind", "rejections", "identity"]
    switch try reader.choice("kind", Self.kinds) {
    case "basic":
      try reader.allow(shared)
      self.init(.basic)
    case "digest":
      try reader.allow(shared)
      self.init(.digest)
    case "bearer":
      try reader.allow(shared + ["prefix"])
      self.init(.bearer(prefix: try reader.text("prefix", mayBeEmpty: true) ?? "Bearer"))
    case "key":
      try reader.allow(shared + ["header", "prefix", "query", "cookie"])
      guard let place = try reader.place() else {
        throw reader.mistake(
          "\"header\", \"query\" or \"cookie\" is required here", hint: "for example \"header\": \"X-Api-Key\"")
      }
      self.init(.key(place))
    case "login":
      try reader.allow(
        shared + ["request", "response", "refresh", "logout", "header", "prefix", "query", "cookie", "csrf"])
      self.init(.login(try reader.tokenLogin()))
    default:
      try reader.allow(
        shared + [
          "grant", "tokenURL", "revocationURL", "authorizationURL", "deviceURL", "issuer", "scope", "parameters",
          "clientAuthentication",
        ])
      self.init(.oauth2(try reader.oauth2()))
    }
    rejections = try reader.rejections()
    if let inner = try reader.object("identity") {
      try inner.allow(["method", "path", "query", "fields"])
      identity = try inner.call(["GET"])
      identityFields = try inner.texts("fields")
    }
  }
}

/// An object of a written scheme.
private struct Reader {
  /// The methods of requests for a token, the default first.
  private static let methods = ["POST", "GET", "PUT"]

  private let object: Object
  private let path: [String]

  init(_ value: Value, _ path: [String]) throws(LoginScheme.Mistake) {
    guard let object = value.object else {
      throw LoginScheme.Mistake(path: path, message: "expected an object, not \(value.kindWithArticle)")
    }
    self.object = object
    self.path = path
  }

  func mistake(_ message: String, at name: String? = nil, hint: String?) -> LoginScheme.Mistake {
    LoginScheme.Mistake(path: path + (name.map { [$0] } ?? []), message: message, hint: hint)
  }

  func allow(_ names: [String]) throws(LoginScheme.Mistake) {
    for name in object.names where !names.contains(name) {
      throw LoginScheme.Mistake(path: path + [name], message: "unknown key", known: names)
    }
  }

  func object(_ name: String) throws(LoginScheme.Mistake) -> Reader? {
    guard let value = object[name] else { return nil }
    return try Reader(value, path + [name])
  }

  func text(_ name: String, mayBeEmpty: Bool = false) throws(LoginScheme.Mistake) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.text else {
      throw mistake("expected text, not \(value.kindWithArticle)", at: name, hint: nil)
    }
    guard mayBeEmpty || !text.isEmpty else {
      throw mistake("this text is empty", at: name, hint: "write one, or leave the key out")
    }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw mistake("this text has control characters", at: name, hint: nil)
    }
    return text
  }

  func choice(_ name: String, _ words: [String]) throws(LoginScheme.Mistake) -> String {
    guard let text = try text(name) else {
      throw mistake("\"\(name)\" is missing", hint: "one of \(words.joined(separator: ", "))")
    }
    guard words.contains(text) else {
      throw mistake(
        "\"\(text)\" is not one of the choices", at: name, hint: "choices: \(words.joined(separator: ", "))")
    }
    return text
  }

  func texts(_ name: String) throws(LoginScheme.Mistake) -> [String] {
    guard let value = object[name] else { return [] }
    guard let texts = value.array?.compactMap(\.text), texts.count == value.array?.count, !texts.contains("") else {
      throw mistake("expected a list of strings", at: name, hint: nil)
    }
    return texts
  }

  /// Texts, or statuses with a text or member.
  func rejections() throws(LoginScheme.Mistake) -> [LoginScheme.Rejection] {
    guard let value = object["rejections"] else { return [] }
    guard let elements = value.array else {
      throw mistake("expected a list, not \(value.kindWithArticle)", at: "rejections", hint: nil)
    }
    return try elements.map { element throws(LoginScheme.Mistake) in
      if let text = element.text, !text.isEmpty { return LoginScheme.Rejection(text: text) }
      let inner = try Reader(element, path + ["rejections"])
      try inner.allow(["status", "text", "member"])
      var rejection = LoginScheme.Rejection(text: try inner.text("text"), member: try inner.text("member"))
      if let given = inner.object["status"] {
        rejection.statuses = (given.array ?? [given]).compactMap(\.integer).filter((400...599).contains)
        guard rejection.statuses.count == given.array?.count ?? 1, !rejection.statuses.isEmpty else {
          throw inner.mistake("expected a status of an error, or a list of them", at: "status", hint: "for example 403")
        }
      }
      guard
        rejection.text != nil || rejection.member != nil
          || rejection.statuses.allSatisfy([401, 419, 440, 498].contains)
      else { throw inner.mistake("other errors have this status, too", hint: "add \"text\" or \"member\"") }
      return rejection
    }
  }

  /// Parameters of a request, or fields of its form.
  private func pairs(_ name: String) throws(LoginScheme.Mistake) -> [String: String] {
    guard let inner = try object(name) else { return [:] }
    try inner.checkNames()
    var pairs: [String: String] = [:]
    for name in inner.object.names { pairs[name] = try inner.text(name, mayBeEmpty: true) }
    return pairs
  }

  /// Refuses parameters and fields of a body that would override the method of the request.
  private func checkNames() throws(LoginScheme.Mistake) {
    for name in object.names {
      guard let problem = ReservedName.problem(ofParameter: name) else { continue }
      throw mistake("\(name) cannot be set: \(problem)", at: name, hint: "leave it out")
    }
  }

  /// The place of a key or token; nil if none is given.
  func place() throws(LoginScheme.Mistake) -> LoginScheme.Place? {
    let (header, query, prefix) = (try header(), try text("query"), try text("prefix", mayBeEmpty: true))
    let given = ["header", "query", "cookie"].filter { object[$0] != nil }
    guard given.count < 2 else {
      throw mistake(
        "\"\(given[0])\" and \"\(given[1])\" cannot be combined", at: given[1], hint: "leave one of them out")
    }
    if let header { return .header(header, prefix: prefix ?? "") }
    if let cookie = try text("cookie") {
      guard Self.isName(cookie) else { throw mistake("this is not a valid cookie name", at: "cookie", hint: nil) }
      guard prefix == nil else { throw mistake("a cookie takes no prefix", at: "prefix", hint: "leave it out") }
      return .cookie(cookie)
    }
    guard let query else { return nil }
    guard ReservedName.problem(ofParameter: query) == nil else {
      throw mistake("\(query) cannot carry a key", at: "query", hint: "for example api_key")
    }
    guard prefix == nil else {
      throw mistake("a query parameter takes no prefix", at: "prefix", hint: "leave it out")
    }
    return .query(query)
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  /// The header field that carries a key or token; nil if none is given.
  private func header() throws(LoginScheme.Mistake) -> String? {
    guard let header = try text("header") else { return nil }
    guard Self.isName(header) else {
      throw mistake("this is not a valid header name", at: "header", hint: "for example X-Api-Key")
    }
    guard ReservedName.problem(ofKeyHeader: header) == nil, header.lowercased() != "content-type" else {
      throw mistake("\(header) cannot carry a key", at: "header", hint: "for example X-Api-Key")
    }
    return header
  }

  /// The token against forged requests.
  func csrf() throws(LoginScheme.Mistake) -> LoginScheme.CSRFToken {
    try allow(["method", "path", "query", "cookie", "field", "member", "header", "rejections"])
    let given = ["cookie", "field", "member"].filter { object[$0] != nil }
    guard given.count == 1, let name = try text(given[0]) else {
      throw mistake(
        "one of \"cookie\", \"field\" and \"member\" is required here", hint: "where the service returns the token")
    }
    let source: LoginScheme.CSRFToken.Source =
      switch given[0] {
      case "cookie": .cookie(name)
      case "field": .field(name)
      default: .member(FieldPath(name))
      }
    var token = LoginScheme.CSRFToken(
      source, from: object["path"] == nil ? nil : try call(["GET"]), header: try header())
    if object["rejections"] != nil { token.rejections = try texts("rejections") }
    guard token.request != nil || given[0] != "field" else {
      throw mistake("\"path\" is missing", hint: "the page that has the field, for example \"login/\"")
    }
    return token
  }

  /// A request by one of these methods; the first is the default.
  func call(_ methods: [String]) throws(LoginScheme.Mistake) -> LoginScheme.Call {
    guard let text = try text("path") else {
      throw mistake("\"path\" is missing", hint: "a path below the backend's address, for example \"session\"")
    }
    let suffix = text.hasSuffix("/") ? "/" : ""
    let segments = text.dropLast(suffix.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let path = try? RequestPath(segments: segments).ending(in: suffix), !text.contains("?"), !text.contains("#")
    else {
      throw mistake(
        "this is not a path below the backend's address", at: "path",
        hint: "names with slashes between them, for example \"session\"")
    }
    let method = object["method"] == nil ? methods.first ?? "GET" : try choice("method", methods)
    return LoginScheme.Call(method, path, query: try pairs("query"), body: try body())
  }

  private func body() throws(LoginScheme.Mistake) -> LoginScheme.Body? {
    let (form, json) = (try object("form"), try object("json"))
    if form != nil, json != nil {
      throw mistake("\"form\" and \"json\" cannot be combined", at: "json", hint: "leave one of them out")
    }
    for part in [form, json] {
      try part?.checkNames()
      try part?.checkPlaceholders()
    }
    if let form {
      for (name, value) in form.object.members where value.object != nil || value.array != nil {
        throw form.mistake("a form field must be text", at: name, hint: "use \"json\" for other values")
      }
      return .form(form.object)
    }
    return json.map { .json($0.object) }
  }

  private func checkPlaceholders() throws(LoginScheme.Mistake) {
    for (name, value) in object.members {
      if value.object != nil { try object(name)?.checkPlaceholders() }
      guard let text = value.text, text.hasPrefix("$"), !LoginScheme.Body.placeholders.contains(text) else { continue }
      throw mistake(
        "unknown placeholder \"\(text)\"", at: name,
        hint: "known placeholders: \(LoginScheme.Body.placeholders.joined(separator: ", "))")
    }
  }

  func tokenLogin() throws(LoginScheme.Mistake) -> LoginScheme.TokenLogin {
    let keys = ["method", "path", "query", "form", "json"]
    guard let request = try object("request") else {
      throw mistake(
        "\"request\" is missing",
        hint: "for example {\"path\": \"session\", \"json\": {\"user\": \"$username\", \"password\": \"$password\"}}")
    }
    try request.allow(keys)
    var login = LoginScheme.TokenLogin(try request.call(Self.methods))
    guard login.request.body != nil else {
      throw request.mistake(
        "\"form\" or \"json\" is missing", hint: "the fields of the body, with $username and $password")
    }
    if let response = try object("response") {
      let names = ["token", "expiresIn", "expiresAt", "slidingWindow", "refreshToken"]
      try response.allow(names)
      if let text = try response.text("token") { login.response.token = FieldPath(text) }
      if let text = try response.text("expiresIn") { login.response.expiresIn = FieldPath(text) }
      if let text = try response.text("expiresAt") { login.response.expiresAt = FieldPath(text) }
      if let text = try response.text("slidingWindow") { login.response.slidingWindow = FieldPath(text) }
      if let text = try response.text("refreshToken") { login.response.refreshToken = FieldPath(text) }
    }
    if let place = try place() {
      login.place = place
      if place.isCookie, try object("response")?.text("token") == nil { login.response.token = nil }
    } else if let prefix = try text("prefix", mayBeEmpty: true) {
      login.place = .header("Authorization", prefix: prefix)
    }
    login.csrf = try object("csrf")?.csrf()
    if login.csrf == nil, login.request.body?.holdsCSRFToken == true {
      throw mistake("$csrf has no value without \"csrf\"", at: "request", hint: "say where the token is found")
    }
    for name in ["refresh", "logout"] {
      guard let inner = try object(name) else { continue }
      try inner.allow(keys)
      if name == "logout" {
        login.logout = try inner.call(["DELETE"] + Self.methods)
      } else {
        login.refresh = try inner.call(Self.methods)
      }
    }
    return login
  }

  func oauth2() throws(LoginScheme.Mistake) -> LoginScheme.OAuth2 {
    let name = try choice("grant", LoginScheme.OAuth2.Grant.allCases.map(\.rawValue))
    let grant = LoginScheme.OAuth2.Grant(rawValue: name) ?? .clientCredentials
    let clientAuthentication =
      object["clientAuthentication"] == nil
      ? "header"
      : try choice("clientAuthentication", LoginScheme.OAuth2.ClientAuthentication.allCases.map(\.rawValue))
    let oauth2 = LoginScheme.OAuth2(
      grant, tokenURL: try endpoint("tokenURL"), scope: try text("scope"), parameters: try pairs("parameters"),
      clientAuthentication: LoginScheme.OAuth2.ClientAuthentication(rawValue: clientAuthentication) ?? .header,
      revocationURL: try endpoint("revocationURL"), authorizationURL: try endpoint("authorizationURL"),
      deviceURL: try endpoint("deviceURL"), issuer: try endpoint("issuer"))
    try checkEndpoints(of: oauth2)
    if let name = oauth2.parameters.keys.sorted().first(where: Self.ownParameters.contains), grant.isByPerson {
      throw mistake("the login sets \(name) itself", at: "parameters", hint: "leave it out")
    }
    return oauth2
  }

  /// The parameters of a person's login that protect it, or that have keys of their own.
  private static let ownParameters: Set<String> = [
    "client_id", "code_challenge", "code_challenge_method", "redirect_uri", "response_mode", "response_type", "scope",
    "state",
  ]

  /// Refuses a grant without the endpoints that it needs, if no issuer publishes them.
  private func checkEndpoints(of oauth2: LoginScheme.OAuth2) throws(LoginScheme.Mistake) {
    guard let issuer = oauth2.issuer else {
      func require(_ name: String, _ example: String) throws(LoginScheme.Mistake) {
        guard object[name] == nil else { return }
        let more = oauth2.grant.isByPerson ? ", or the \"issuer\" that publishes it" : ""
        throw mistake("\"\(name)\" is missing", hint: "for example \"\(name)\": \"\(example)\"\(more)")
      }
      try require("tokenURL", "/oauth/token")
      if oauth2.grant == .authorizationCode { try require("authorizationURL", "/oauth/authorize") }
      if oauth2.grant == .device { try require("deviceURL", "/oauth/device") }
      return
    }
    guard issuer.contains(text: "://") else {
      throw mistake("an issuer is an address", at: "issuer", hint: "for example https://login.example.org")
    }
  }

  private func endpoint(_ name: String) throws(LoginScheme.Mistake) -> String? {
    guard let address = try text(name) else { return nil }
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !address.contains("?"), !address.contains("#") else {
      throw mistake("an address of an endpoint has no query, no fragment and no spaces", at: name, hint: nil)
    }
    return address
  }
}
