/// Makes responses in the form of an Express application.
struct JSONServerAnswer {
  private let request: DemoRequest
  let isFake: Bool
  let isVersion1: Bool

  init(_ request: DemoRequest) {
    self.request = request
    isFake = request.settings["jsonplaceholder.profile"] == "jsonplaceholder"
    isVersion1 = request.settings["jsonplaceholder.profile"] == "json-server-1"
  }

  /// A value, as a script if a callback is named; for an empty collection all parameters are ignored, including that.
  func json(
    _ value: DemoJSON, status: Int = 200, headers: [(name: String, value: String)] = [], takesCallback: Bool = true
  ) -> DemoResponse {
    let text = value.indented()
    let headers = headers + [("X-Content-Type-Options", "nosniff")]
    guard takesCallback, let callback = JSONServerParameters(request.query)["callback"], !callback.isEmpty else {
      return DemoResponse(status: status, type: "application/json; charset=utf-8", text: text, headers: headers)
    }
    return DemoResponse(
      status: status, type: "text/javascript; charset=utf-8", text: Self.script(calling: callback, with: text),
      headers: headers)
  }

  /// The response as a script that calls a function of the requesting page.
  private static func script(calling callback: String, with json: String) -> String {
    let name = callback.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "[]_$.".contains($0)) }
    let argument = json.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
    return "/**/ typeof \(name) === 'function' && \(name)(\(argument));"
  }

  /// No record, no collection, no route.
  var missing: DemoResponse { json(isVersion1 ? ["error": "Not Found"] : .object([]), status: 404) }

  /// An application error: a stack trace labeled as HTML.
  func failure(_ reason: String, headers: [(name: String, value: String)] = []) -> DemoResponse {
    DemoResponse(
      status: 500, type: "text/html; charset=utf-8",
      text: "\(reason)\n    at router (router/plural.js)\n    at next (layer.js)", headers: headers)
  }

  /// A body that was not read. The two servers place the parser differently, so that only one reports the reason
  /// properly.
  func refusal(_ refusal: JSONServerBody.Refusal) -> DemoResponse {
    if isFake { return failure("\(refusal.reason)\n    at parse (json.js)") }
    let page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n<body>\n"
      + "<pre>\(refusal.title)</pre>\n</body>\n</html>\n"
    return DemoResponse(
      status: refusal.status, type: "text/html; charset=utf-8", text: page,
      headers: common(overrides: false) + [
        ("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff"),
      ])
  }

  func badTarget(_ part: String) -> DemoResponse { failure("URIError: Failed to decode param '\(part)'") }

  var home: DemoResponse {
    DemoResponse(
      status: 200, type: "text/html; charset=UTF-8",
      text: "<!DOCTYPE html><html><head><title>JSON Server</title></head><body><h1>Resources</h1></body></html>")
  }

  /// The response to a preflight request, which is not routed further.
  var options: DemoResponse {
    var headers = Self.product + [("Vary", "Origin, Access-Control-Request-Headers")] + origin
    headers.append(("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE"))
    if let wanted = request.header("access-control-request-headers") {
      headers.append(("Access-Control-Allow-Headers", wanted))
    }
    return DemoResponse(status: 204, headers: headers + [("Content-Length", "0")])
  }

  /// Adds the common headers, the entity tag, and 304 for a client that has the content.
  func finish(_ response: DemoResponse) throws -> DemoResponse {
    var response = response
    response.headers = common(overrides: request.method == "POST") + response.headers
    guard case .whole(let bytes) = response.body else { return response }
    let mark = "W/\"\(String(bytes.count, radix: 16))-\(SHA1.base64(bytes).prefix(27))\""
    response.headers.append(("ETag", mark))
    if response.status == 200, isKnown(mark) {
      var kept = response.headers.filter { !["Content-Type", "Content-Length"].contains($0.name) }
      for place in kept.indices where kept[place].name == "Vary" { kept[place].value = "Origin" }
      return DemoResponse(status: 304, headers: kept)
    }
    return JSONServerCompression.applied(to: response, for: request)
  }

  /// Returns whether a client has the content with this tag and does not demand a fresh copy.
  private func isKnown(_ mark: String) -> Bool {
    guard request.isRead, let known = request.header("if-none-match") else { return false }
    if request.header("cache-control")?.contains("no-cache") == true { return false }
    let marks = known.split(separator: ",").map { $0.filter { $0 != " " } }
    return marks.contains { $0 == "*" || $0 == mark || "W/" + $0 == mark }
  }

  private static let product = [(name: "X-Powered-By", value: "Express")]

  private var origin: [(name: String, value: String)] {
    let allowed = request.header("origin").map { [(name: "Access-Control-Allow-Origin", value: $0)] } ?? []
    return [("Access-Control-Allow-Credentials", "true")] + allowed
  }

  /// Returns the headers of every response; `overrides` adds that a header may replace the method.
  private func common(overrides: Bool) -> [(name: String, value: String)] {
    let method = overrides ? "X-HTTP-Method-Override, " : ""
    return Self.product + [("Vary", "Origin, \(method)Accept-Encoding")] + origin + [
      ("Cache-Control", "no-cache"), ("Pragma", "no-cache"), ("Expires", "-1"),
    ]
  }
}
