/// Simulated failures of networks and gateways, for any dialect.
enum Fault {
  static let switches = [
    Switch(
      "fault",
      [
        "none", "drop", "hangup", "truncate", "badgateway", "unavailable", "toomany", "wrongtype", "slow", "delay",
        "mixed",
      ],
      """
      drop: connection closed mid-body; hangup: connection closed without a response; truncate: 200 with half the JSON; \
      badgateway: 502 with HTML; unavailable: 503 with HTML; toomany: 429 with Retry-After; wrongtype: body as \
      text/html; slow: body in eight pieces; delay: late response; mixed: all of these except slow and delay in turn
      """),
    Switch(
      "fault.delay", 0...600_000, default: 200,
      "milliseconds before a late response, between the pieces of a slow one, or (in full seconds) in Retry-After"),
    Switch("fault.count", 0...1_000_000, default: 0, "number of requests that fail; 0: all"),
    Switch("fault.every", 1...1_000_000, default: 1, "N: every Nth request fails"),
    Switch("fault.on", ["any", "reads", "writes"], "which requests fail; reads are GET, HEAD and OPTIONS"),
  ]

  private static let mixed = ["drop", "hangup", "truncate", "badgateway", "unavailable", "toomany", "wrongtype"]

  static func due(_ request: DemoRequest, counts: RequestCounts) -> String {
    let fault = request.settings["fault"]
    guard fault != "none" else { return fault }
    let isRead = ["GET", "HEAD", "OPTIONS"].contains(request.method)
    switch request.settings["fault.on"] {
    case "reads" where !isRead, "writes" where isRead: return "none"
    default: break
    }
    let taken = counts.takeFault(
      every: request.settings.number("fault.every"), limit: request.settings.number("fault.count"))
    guard let taken else { return "none" }
    return fault == "mixed" ? mixed[taken % mixed.count] : fault
  }

  /// The response of a gateway that does not pass the request on; nil for the other faults.
  static func instead(_ fault: String, settings: Settings) -> DemoResponse? {
    switch fault {
    case "badgateway": page(502, "Bad Gateway")
    case "unavailable": page(503, "Service Unavailable")
    case "toomany":
      DemoResponse(
        status: 429, type: "text/plain", text: "Too many requests\n",
        headers: [("Retry-After", String((settings.number("fault.delay") + 999) / 1000))])
    default: nil
    }
  }

  private static func page(_ status: Int, _ title: String) -> DemoResponse {
    DemoResponse(
      status: status, type: "text/html",
      text: "<html><head><title>\(status) \(title)</title></head><body><h1>\(status) \(title)</h1></body></html>\n")
  }

  /// The response after the fault; the request was performed.
  static func applied(_ fault: String, to response: DemoResponse, settings: Settings) -> DemoResponse {
    guard case .whole(let body) = response.body else { return response }
    var response = response
    let half = Array(body.prefix(body.count / 2))
    switch fault {
    case "hangup": response.body = .pieces([], length: nil, pause: .zero, cut: true)
    case "drop":
      response.body = .pieces(half.isEmpty ? [] : [half], length: body.count, pause: .zero, cut: true)
    case "truncate":
      response.status = 200
      response.body = .whole(half)
    case "wrongtype":
      response.headers.removeAll { $0.name.lowercased() == "content-type" }
      response.headers.append(("Content-Type", "text/html"))
    case "slow" where !body.isEmpty:
      let size = max(1, (body.count + 7) / 8)
      let pieces = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
      let pause = Duration.milliseconds(settings.number("fault.delay"))
      response.body = .pieces(pieces, length: body.count, pause: pause, cut: false)
    default: break
    }
    return response
  }
}
