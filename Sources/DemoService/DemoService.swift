package import HTTPTypes

/// The demo servers without a socket: responds to each request as one of the dialects, from the same store.
///
/// The first segment of the raw request target names the dialect. No router is used, because dialects treat doubled
/// slashes, encoded slashes, odd methods and missing headers differently.
package struct DemoService: Sendable {
  package static let bodyLimit = 64 << 20

  let store: DemoStore
  let settings: Settings
  let counts = RequestCounts(dialects.map(\.name))

  /// Opens and fills the data, with switches set by `NAME=VALUE`. Throws ``Settings/Refusal`` for these, ``StartError``
  /// if the data is not accessible.
  package init(_ data: DemoData, setting assignments: [String] = []) throws {
    settings = try Settings.all(setting: assignments)
    store = try data.open(settings: settings)
  }

  /// Responds to one request. Its body is read once the dialect is known; nil for one that is too long.
  package func answer(
    _ method: String, _ target: String, host: String?, headers: HTTPFields,
    reading body: () async throws -> [UInt8]?
  ) async throws -> DemoResponse {
    let target = Target(target)
    guard let index = dialects.firstIndex(where: { $0.name == target.first }) else {
      return ControlResponder(service: self).respond(method: method, target: target)
    }
    counts.add(at: index)
    let settings: Settings
    do {
      let assignments = Self.demoSet.flatMap { headers[$0] }
      settings = try assignments.map { try self.settings.with(header: $0) } ?? self.settings
    } catch {
      return DemoResponse(status: 400, type: "text/plain; charset=utf-8", text: "\(error)\n")
    }
    guard let body = try await body() else {
      return DemoResponse(status: 413, headers: [("Connection", "close")])
    }
    counts.keep(
      RequestCounts.Write(
        dialect: target.first, method: method, path: target.path + (target.query.map { "?\($0)" } ?? ""), body: body))
    let request = DemoRequest(
      method: method, path: target.path, query: target.query, base: "/" + target.first, host: host, headers: headers,
      body: body, settings: settings)
    return try await answer(request, dialect: dialects[index])
  }

  private func answer(_ request: DemoRequest, dialect: any Dialect) async throws -> DemoResponse {
    let fault = Fault.due(request, counts: counts)
    if let instead = Fault.instead(fault, settings: request.settings) { return instead }
    if fault == "delay" { try await Task.sleep(for: .milliseconds(request.settings.number("fault.delay"))) }
    let response: DemoResponse
    do {
      response = try await dialect.respond(to: request, store: store)
    } catch {
      response = DemoResponse(
        status: 500, type: "text/plain; charset=utf-8", text: "The demo server failed: \(error)\n")
    }
    return fault == "none" ? response : Fault.applied(fault, to: response, settings: request.settings)
  }

  private static let demoSet = HTTPField.Name("Demo-Set")
}

extension Settings {
  /// All switches with their defaults, or the assigned values.
  package static func all(setting assignments: [String]) throws(Refusal) -> Settings {
    var settings = Settings(Fault.switches + dialects.flatMap(\.switches))
    for assignment in assignments { try settings.set(assignment) }
    return settings
  }
}
