import BackendKit

extension LoginScheme {
  /// The request that logs in.
  func loginRequest(_ username: String, _ password: String) -> HTTPRequest {
    let fields = constants.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let form = PercentEncoding.form(fields + [(userField, username), (passwordField, password)])
    return request(
      login, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")], body: Array(form.utf8),
      effect: .session)
  }

  /// The request that logs out, or nil where the service knows none.
  func logoutRequest(_ token: Token) -> HTTPRequest? {
    logout.map { call in
      let body = JSONWriter.compact(["token": .string(token.text), "type": .string(tokenPrefix)])
      return request(
        call, headers: [("Content-Type", "application/json; charset=UTF-8")], body: Array(body.utf8), effect: .session)
    }
  }

  /// The request that tells who is logged in, or nil where the service knows none.
  var identityRequest: HTTPRequest? { identity.map { request($0, effect: .read) } }

  /// The Authorization field with a token.
  func authorization(_ token: Token) -> String { tokenPrefix.isEmpty ? token.text : "\(tokenPrefix) \(token.text)" }

  /// Whether the answer to a 401 says that the token is no longer good.
  func isRejection(_ answer: HTTPAnswer, _ body: [UInt8]) -> Bool {
    let texts = answer.headers.filter { $0.0.lowercased() == "www-authenticate" }.map(\.1)
    let all = texts + [String(decoding: body, as: UTF8.self)]
    return rejections.contains { mark in all.contains { $0.contains(mark) } }
  }

  private func request(
    _ call: Call, headers: [(String, String)] = [], body: [UInt8]? = nil, effect: EffectMark
  ) -> HTTPRequest {
    let query = call.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return HTTPRequest(call.method, call.path, query: query, headers: headers, body: body, effect: effect)
  }
}
