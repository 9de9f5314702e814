import DemoService
import HTTPTypes
import Hummingbird
import NIOCore

/// Hands every request that Hummingbird has read to the service.
struct DemoResponder: HTTPResponder {
  typealias Context = ConnectionContext

  let service: DemoService

  func respond(to request: Request, context: Context) async throws -> Response {
    let method = request.head.method.rawValue
    let answer = try await service.answer(
      method, request.head.path ?? "/", host: request.head.authority, headers: request.headers
    ) { try await body(of: request) }
    if case .pieces(let pieces, _, _, cut: true) = answer.body, pieces.isEmpty {
      try? await context.channel.close()
    }
    return answer.response(isHead: method == "HEAD")
  }

  private func body(of request: Request) async throws -> [UInt8]? {
    guard request.headers[.contentLength] != nil || request.headers[.transferEncoding] != nil else { return [] }
    var bytes: [UInt8] = []
    for try await buffer in request.body {
      bytes += buffer.readableBytesView
      if bytes.count > DemoService.bodyLimit { return nil }
    }
    return bytes
  }
}

/// Hummingbird's information about the connection of a request.
struct ConnectionContext: InitializableFromSource {
  let channel: any Channel

  init(source: ApplicationRequestContextSource) { channel = source.channel }
}
