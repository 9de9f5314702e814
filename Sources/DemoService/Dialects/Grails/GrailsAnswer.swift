/// Makes responses in the requested format.
struct GrailsAnswer {
  static let jsonType = "application/json;charset=UTF-8"

  private enum Format {
    case json(type: String)
    case notAcceptable
  }

  private let format: Format

  /// The format comes from a parameter or an extension, otherwise from `Accept`.
  init(request: DemoRequest, format: String?) {
    let asked = Form(request.query)["format"] ?? format
    if let asked, asked != "json", Self.otherFormats.contains(asked) {
      self.format = .notAcceptable
    } else if let accept = request.header("accept"), asked == nil, !Self.isBrowser(request) {
      self.format = Self.format(accept: accept)
    } else {
      self.format = .json(type: Self.jsonType)
    }
  }

  /// An answer with a record or records as its body.
  func json(_ text: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> DemoResponse {
    switch format {
    case .json(let type): DemoResponse(status: status, type: type, text: text, headers: headers)
    case .notAcceptable: DemoResponse(status: 406)
    }
  }

  /// No mapping, wrong verb, or unknown version.
  static let routingNotFound = DemoResponse(status: 404, type: jsonType, text: #"{"message":"Not Found","error":404}"#)
  /// The mapping is right, but the record does not exist.
  static let missing = DemoResponse(status: 404)
  static let internalError = DemoResponse(
    status: 500, type: jsonType, text: #"{"message":"Internal server error","error":500}"#)

  private static let otherFormats: Set<String> = [
    "xml", "hal", "text", "csv", "atom", "css", "js", "html", "pdf", "rss", "form", "multipartForm",
  ]
  private static let otherTypes: Set<String> = [
    "application/xml", "text/xml", "application/hal+json", "application/hal+xml", "text/plain", "text/csv",
    "application/atom+xml", "application/pdf", "application/rss+xml", "text/css", "text/javascript",
  ]

  /// An unknown type falls back to JSON, and is then named as the type of the response.
  private static func format(accept: String) -> Format {
    let types = accept.split(separator: ",").map(\.mediaType)
    let plain: Set<String> = ["*/*", "application/json", "text/json", "application/*", ""]
    if types.isEmpty || types.contains(where: plain.contains) { return .json(type: jsonType) }
    if types.contains(where: otherTypes.contains) { return .notAcceptable }
    return .json(type: (types.first ?? "text/html") + ";charset=UTF-8")
  }

  /// Browsers always ask for HTML, so the application ignores them.
  private static func isBrowser(_ request: DemoRequest) -> Bool {
    guard let agent = request.header("user-agent") else { return false }
    return ["Gecko", "WebKit", "Presto", "Trident"].contains { agent.contains($0) }
  }
}
