extension LoginReader {
  /// The methods of requests for a token, the default first.
  private static let methods = ["POST", "GET", "PUT"]

  private static var responseKeys: KeyValuePairs<String, WritableKeyPath<LoginScheme.TokenResponse, FieldPath?>> {
    [
      "token": \.token, "expiresIn": \.expiresIn, "expiresAt": \.expiresAt, "slidingWindow": \.slidingWindow,
      "refreshToken": \.refreshToken,
    ]
  }

  func tokenLogin() throws(LoginScheme.Mistake) -> LoginScheme.TokenLogin {
    guard let request = try object("request") else {
      throw mistake(
        "\"request\" is missing",
        hint: "for example {\"path\": \"session\", \"json\": {\"user\": \"$username\", \"password\": \"$password\"}}")
    }
    var login = LoginScheme.TokenLogin(try request.request(Self.methods))
    guard login.request.body != nil else {
      throw request.mistake(
        "\"form\" or \"json\" is missing", hint: "the fields of the body, with $username and $password")
    }
    if let response = try object("response") {
      try response.allow(Self.responseKeys.map(\.key))
      for (name, place) in Self.responseKeys {
        if let text = try response.text(name) { login.response[keyPath: place] = FieldPath(text) }
      }
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
    login.refresh = try object("refresh")?.request(Self.methods)
    login.logout = try object("logout")?.request(["DELETE"] + Self.methods)
    return login
  }

  private func request(_ methods: [String]) throws(LoginScheme.Mistake) -> LoginScheme.Call {
    try allow(["method", "path", "query", "form", "json"])
    return try call(methods)
  }

  /// The token against forged requests.
  private func csrf() throws(LoginScheme.Mistake) -> LoginScheme.CSRFToken {
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
}
