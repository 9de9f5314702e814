/// Responds to requests outside of dialects: `/`, and `/_demo/…` about the server itself.
struct ControlResponder {
  let service: DemoService

  func respond(method: String, target: Target) -> DemoResponse {
    switch (method, target.first, target.path) {
    case ("GET", "", "/"): index
    case ("GET", "_demo", "/requests"): json(service.counts.json)
    case ("DELETE", "_demo", "/requests"): reset()
    case ("GET", "_demo", "/writes"): json(service.counts.writesJSON)
    case ("GET", "_demo", "/switches"): json(switches)
    default:
      json(
        .object([.init(key: "error", value: .string("Nothing is here; the base paths are: \(bases)."))]), status: 404)
    }
  }

  private var bases: String { dialects.map { "/" + $0.name }.joined(separator: ", ") }

  private var index: DemoResponse {
    json(["dialects": .array(dialects.map { .string("/" + $0.name) })])
  }

  private func reset() -> DemoResponse {
    service.counts.reset()
    return DemoResponse(status: 204)
  }

  private var switches: DemoJSON {
    let settings = service.settings
    return .array(
      settings.switches.map {
        [
          "name": .string($0.name), "value": .string(settings[$0.name]), "values": .string($0.valuesText),
          "default": .string($0.standard), "help": .string($0.help),
        ]
      })
  }

  private func json(_ value: DemoJSON, status: Int = 200) -> DemoResponse {
    DemoResponse(status: status, type: "application/json", text: value.compact() + "\n")
  }
}
