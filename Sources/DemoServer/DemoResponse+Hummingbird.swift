import DemoService
import HTTPTypes
import Hummingbird
import NIOCore

extension DemoResponse {
  /// Breaks the connection when it is thrown while a body is written.
  private struct Cut: Error {}

  /// The answer in Hummingbird's types.
  func response(isHead: Bool) -> Response {
    var fields = HTTPFields()
    fields.reserveCapacity(headers.count + 2)
    for header in self.fields {
      guard let name = HTTPField.Name(header.name) else { continue }
      fields.append(HTTPField(name: name, value: header.value))
    }
    let status = HTTPResponse.Status(code: status)
    switch body {
    case .whole(let bytes):
      let body = isHead || bytes.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
      return Response(status: status, headers: fields, body: body)
    case .pieces(let pieces, let length, let pause, let cut):
      let body = ResponseBody(contentLength: length) { writer in
        for (index, piece) in pieces.enumerated() {
          if index > 0, pause > .zero { try await Task.sleep(for: pause) }
          try await writer.write(ByteBuffer(bytes: piece))
        }
        if cut { throw Cut() }
        try await writer.finish(nil)
      }
      return Response(status: status, headers: fields, body: body)
    }
  }
}
