/// Puts answers into the form of an Express application.
struct JSONServerAnswer {
  private let request: DemoRequest
  /// Whether writes are faked.
  let isFake: Bool

  init(_ request: DemoRequest) {
    self.request = request
    isFake = request.settings["jsonplaceholder.profile"] == "jsonplaceholder"
  }

  func json(
    _ value: DemoJSON, status: Int = 200, headers: [(name: String, value: String)] = []
  ) -> DemoResponse {
    let text = value.indented()
    guard let callback = JSONServerParameters(request.query)["callback"], !callback.isEmpty else {
      return DemoResponse(status: status, type: "application/json; charset=utf-8", text: text, headers: headers)
    }
    return DemoResponse(
      status: status, type: "text/javascript; charset=utf-8", text: Self.script(calling: callback, with: text),
      headers: headers)
  }

  /// The answer as a script that calls a function of the page that asked.
  private static func script(calling callback: String, with json: String) -> String {
    let name = callback.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "[]_$.".contains($0)) }
    let argument = json.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
    return "/**/ typeof \(name) === 'function' && \(name)(\(argument));"
  }

  /// No record, no collection, no route.
  var missing: DemoResponse { json(.object([]), status: 404) }

  /// An error of the application: a stack trace that claims to be HTML.
  func failure(_ reason: String) -> DemoResponse {
    DemoResponse(
      status: 500, type: "text/html; charset=utf-8",
      text: "\(reason)\n    at router (router/plural.js)\n    at next (layer.js)")
  }

  /// A body that was not read. The two servers place the parser differently, so that only one says why properly.
  func refusal(_ refusal: JSONServerBody.Refusal) -> DemoResponse {
    if isFake { return failure("\(refusal.reason)\n    at parse (json.js)") }
    let page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n<body>\n"
      + "<pre>\(refusal.title)</pre>\n</body>\n</html>\n"
    return DemoResponse(status: refusal.status, type: "text/html; charset=utf-8", text: page)
  }

  var badTarget: DemoResponse { failure("URIError: Failed to decode param") }

  var home: DemoResponse {
    DemoResponse(
      status: 200, type: "text/html; charset=UTF-8",
      text: "<!DOCTYPE html><html><head><title>JSON Server</title></head><body><h1>Resources</h1></body></html>")
  }

  var options: DemoResponse {
    DemoResponse(
      status: 204,
      headers: common + [("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE"), ("Content-Length", "0")])
  }

  /// Adds what every answer carries, the mark of its content, and 304 for a reader who has that content.
  func finish(_ response: DemoResponse) throws -> DemoResponse {
    var response = response
    response.headers = common + response.headers
    guard response.status == 200 || response.status == 201, case .whole(let bytes) = response.body else {
      return response
    }
    let mark = "W/\"\(String(bytes.count, radix: 16))-\(SHA1.base64(bytes).prefix(27))\""
    response.headers.append(("ETag", mark))
    let reads = request.method == "GET" || request.method == "HEAD"
    if reads, let known = request.header("if-none-match"), known == mark || known == "*" {
      let kept = response.headers.filter { !["Content-Type", "Content-Length"].contains($0.name) }
      return DemoResponse(status: 304, headers: kept)
    }
    return JSONServerCompression.applied(to: response, for: request)
  }

  private var common: [(name: String, value: String)] {
    var headers = [
      (name: "X-Powered-By", value: "Express"), (name: "Vary", value: "Origin, Accept-Encoding"),
      (name: "Access-Control-Allow-Credentials", value: "true"), (name: "Cache-Control", value: "no-cache"),
      (name: "Pragma", value: "no-cache"), (name: "Expires", value: "-1"),
      (name: "X-Content-Type-Options", value: "nosniff"),
    ]
    if let origin = request.header("origin") { headers.append(("Access-Control-Allow-Origin", origin)) }
    return headers
  }
}
