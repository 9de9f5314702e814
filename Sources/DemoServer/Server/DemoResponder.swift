import HTTPTypes
import Hummingbird
import NIOCore

/// Answers every request: picks the dialect by the first segment of the raw request target. No router is used, because
/// dialects differ in what they make of doubled slashes, encoded slashes, odd methods and missing headers.
struct DemoResponder: HTTPResponder {
  typealias Context = ConnectionContext

  static let bodyLimit = 64 << 20

  let dialects: [any Dialect]
  let store: DemoStore
  let settings: Settings
  let counts: RequestCounts

  init(dialects: [any Dialect], store: DemoStore, settings: Settings) {
    self.dialects = dialects
    self.store = store
    self.settings = settings
    counts = RequestCounts(dialects.map(\.name))
  }

  func respond(to request: Request, context: Context) async throws -> Response {
    let method = request.head.method.rawValue
    let target = Target(request.head.path ?? "/")
    guard let index = dialects.firstIndex(where: { $0.name == target.first }) else {
      return ControlResponder(responder: self).respond(method: method, target: target).response(
        isHead: method == "HEAD")
    }
    counts.add(at: index)
    let settings: Settings
    do {
      settings = try requestSettings(request)
    } catch {
      return DemoResponse(status: 400, type: "text/plain; charset=utf-8", text: "\(error)\n").response(isHead: false)
    }
    guard let body = try await body(of: request) else {
      return DemoResponse(status: 413, headers: [("Connection", "close")]).response(isHead: false)
    }
    counts.keep(
      RequestCounts.Write(
        dialect: target.first, method: method, path: target.path + (target.query.map { "?\($0)" } ?? ""), body: body))
    let demoRequest = DemoRequest(
      method: method, path: target.path, query: target.query, base: "/" + target.first, host: request.head.authority,
      headers: request.headers, body: body, settings: settings)
    let answer = try await answer(demoRequest, dialect: dialects[index])
    if case .pieces(let pieces, _, _, cut: true) = answer.body, pieces.isEmpty {
      try? await context.channel.close()
    }
    return answer.response(isHead: method == "HEAD")
  }

  private func requestSettings(_ request: Request) throws(Settings.Refusal) -> Settings {
    guard let name = Self.demoSet, let header = request.headers[name] else { return settings }
    return try settings.with(header: header)
  }

  private static let demoSet = HTTPField.Name("Demo-Set")

  private func body(of request: Request) async throws -> [UInt8]? {
    guard request.headers[.contentLength] != nil || request.headers[.transferEncoding] != nil else { return [] }
    var bytes: [UInt8] = []
    for try await buffer in request.body {
      bytes += buffer.readableBytesView
      if bytes.count > Self.bodyLimit { return nil }
    }
    return bytes
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
}

/// Hummingbird's information about the connection of a request.
struct ConnectionContext: InitializableFromSource {
  let channel: any Channel

  init(source: ApplicationRequestContextSource) { channel = source.channel }
}
