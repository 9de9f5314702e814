/// Makes responses in the requested form.
struct BaasicAnswer {
  let request: DemoRequest
  /// True if hypertext links are requested.
  let isHAL: Bool

  init(_ request: DemoRequest) {
    self.request = request
    let types = (request.header("accept") ?? "").split(separator: ",").map(\.mediaType)
    isHAL = types.first { $0 == Self.hal || $0 == Self.plain || $0 == "*/*" } == Self.hal
  }

  private static let plain = "application/json"
  private static let hal = "application/hal+json"

  func json(_ value: DemoJSON, status: Int = 200) -> DemoResponse {
    let type = (isHAL ? Self.hal : Self.plain) + "; charset=utf-8"
    return DemoResponse(status: status, type: type, text: value.compact())
  }

  /// Success without content.
  static let noContent = DemoResponse(status: 204)

  /// One record, with links relative to the path of its collection.
  func record(_ record: DemoJSON, _ find: BaasicFind? = nil, in collection: String, status: Int = 200) -> DemoResponse {
    json(shown(record, find, in: collection), status: status)
  }

  /// One page of a collection.
  func page(_ find: BaasicFind, _ records: [DemoJSON], total: Int, in collection: String) -> DemoResponse {
    if records.isEmpty, request.settings["baasic.empty"] == "nocontent" { return Self.noContent }
    let items = DemoJSON.array(records.map { shown($0, find, in: collection) })
    let envelope: DemoJSON = [
      "page": .number(String(find.page)), "recordsPerPage": .number(String(find.size)),
      "searchQuery": find.searchQuery.map { .string($0) } ?? .null, "sort": find.sort.map { .string($0) } ?? .null,
      "totalRecords": .number(String(total)),
    ]
    let isEmbedded = isHAL && request.settings["baasic.hal"] == "embedded"
    var members = envelope.members ?? []
    if !isEmbedded { members.insert(.init(key: "item", value: items), at: 0) }
    if isHAL { members.append(.init(key: "_links", value: links(["self", "post"], to: collection))) }
    if isEmbedded { members.append(.init(key: "_embedded", value: ["item": items])) }
    return json(.object(members))
  }

  func problem(_ problem: BaasicProblem) -> DemoResponse {
    let (status, form) = (problem.status, request.settings["baasic.errors"])
    if form == "empty" { return DemoResponse(status: status) }
    if form == "html" {
      return DemoResponse(
        status: status, type: "text/html",
        text: "<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Error \(status)</h1></body></html>\n")
    }
    let isText = form == "textstatus"
    guard let token = problem.token else {
      return Self.problemBody(problem.json(statusAsText: isText), status: status)
    }
    switch request.settings["baasic.tokenerror"] {
    case "header":
      let plain = BaasicProblem(status, "Authorization has been denied for this request.")
      let challenge = "Bearer error=\"\(token.rawValue)\", error_description=\"\(problem.message)\""
      return Self.problemBody(
        plain.json(statusAsText: isText), status: status, headers: [("WWW-Authenticate", challenge)])
    case "oauth":
      let body: DemoJSON = ["error": .string(token.rawValue), "error_description": .string(problem.message)]
      return Self.problemBody(body, status: status)
    default: return Self.problemBody(problem.json(statusAsText: isText), status: status)
    }
  }

  private static func problemBody(
    _ body: DemoJSON, status: Int, headers: [(name: String, value: String)] = []
  ) -> DemoResponse {
    DemoResponse(status: status, type: "application/json; charset=utf-8", text: body.compact(), headers: headers)
  }

  private func shown(_ record: DemoJSON, _ find: BaasicFind?, in collection: String) -> DemoJSON {
    var shown = find?.projected(record) ?? record
    if request.settings["baasic.dates"] == "reformatted" { shown = BaasicDate.reformatted(shown) }
    // Schemas are found by their names.
    if isHAL, let own = record[collection == "schemas" ? "name" : "id"]?.text {
      shown["_links"] = links(["self", "put", "patch", "delete"], to: "\(collection)/\(own)")
    }
    return shown
  }

  private func links(_ relations: [String], to path: String) -> DemoJSON {
    let target: DemoJSON = ["href": .string("\(request.baseAddress)/\(path)"), "templated": false]
    return .object(relations.map { .init(key: $0, value: target) })
  }
}
