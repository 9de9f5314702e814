/// Makes responses in the form of the server's release.
struct KituraAnswer {
  private let request: DemoRequest
  private let isNewer: Bool

  init(_ request: DemoRequest) {
    self.request = request
    isNewer = request.settings["kitura.profile"] == "3.0"
  }

  /// A todo as sent: with its address, and with `kitura.keys` in an order like that of the real server's hashing.
  func representation(_ todo: Todo) -> DemoJSON {
    let root = request.settings["kitura.url"] == "own" ? request.baseAddress : "http://localhost:8080"
    let members = todo.members + [.init(key: "url", value: .string("\(root)/\(todo.id)"))]
    return .object(request.settings["kitura.keys"] == "shuffled" ? members.shuffled() : members)
  }

  /// Success with JSON; the older release omits the type.
  func json(_ value: DemoJSON, status: Int = 200) -> DemoResponse {
    let type = isNewer ? [(name: "Content-Type", value: "application/json")] : []
    return DemoResponse(status: status, headers: type, body: Array(value.compact(escapingSlashes: true).utf8))
  }

  /// Success without a body.
  var deleted: DemoResponse { DemoResponse(status: isNewer ? 204 : 200) }

  /// A body that is not a todo; only the newer release reports the reason.
  func refusal(_ complaint: TodoFields.Complaint) -> DemoResponse {
    guard isNewer else { return DemoResponse(status: 422) }
    return DemoResponse(status: 422, body: Array("Could not decode received data: \(complaint.text)".utf8))
  }

  var cannot: DemoResponse {
    DemoResponse(status: 404, body: Array("Cannot \(request.method) \(request.path).".utf8))
  }

  /// The response at the root to methods without a route.
  var welcome: DemoResponse {
    let page =
      "<!DOCTYPE html>\n<html><head><title>Kitura</title></head><body><h1>Welcome to Kitura</h1></body></html>\n"
    return DemoResponse(status: 200, type: "text/html", text: page)
  }

  /// Not from a coding route, so both releases have the type.
  var health: DemoResponse {
    DemoResponse(status: 200, type: "application/json", text: "{\n  \"status\" : \"UP\"\n}")
  }

  static func preflight(_ request: DemoRequest) -> DemoResponse {
    var headers = [
      (name: "Access-Control-Allow-Origin", value: "*"),
      (name: "Access-Control-Allow-Methods", value: "GET,HEAD,PUT,PATCH,POST,DELETE"),
    ]
    if let asked = request.header("access-control-request-headers") {
      headers.append(("Access-Control-Allow-Headers", asked))
    }
    return DemoResponse(status: 204, headers: headers)
  }
}
