import BackendClient
import BackendKit

extension SharedOptions {
  static let dryRun = OptionSyntax("dry-run", help: "show the requests and send none that writes")
}

extension Session {
  /// Shows the requests of writes and sends none of them, where the command was told so; false where it was not.
  func showsRequests(
    of writes: [Write], _ target: Target, _ invocation: Invocation
  ) async throws -> Bool {
    guard invocation.has("dry-run") else { return false }
    try endRehearsal()
    var requests: [HTTPRequest] = []
    for write in writes {
      if isStopped {
        throw CommandFailure(.interrupted, "interrupted while the requests were made up; nothing was sent")
      }
      requests.append(try await target.client.request(of: write))
    }
    try show(requests, [target.backend.connection.address], invocation)
    return true
  }

  /// Shows requests that were not sent to these addresses.
  func show(_ requests: [HTTPRequest], _ addresses: [String], _ invocation: Invocation) throws {
    let secrets = context.blanking
    func body(_ request: HTTPRequest) -> String? {
      request.body.map { secrets.text(String(decoding: $0, as: UTF8.self)) }
    }
    let lines = requests.map { request -> String in
      let conditions = request.headers.filter { $0.0.lowercased().hasPrefix("if-") }.map { " \($0.0): \($0.1)" }
      return "\(request.summary)\(conditions.joined())\(body(request).map { " \($0)" } ?? "")"
    }
    note("dry run: nothing was sent to \(addresses.joined(separator: ", "))")
    let rows = requests.map { request in
      let headers = Object(request.headers.map { ($0.0, .string($0.1)) })
      let text = body(request)
      let value = text.map { (try? JSONReader.read($0)) ?? .string($0) }
      return Record(
        id: nil,
        fields: Object(present: [
          ("method", .string(request.method)), ("path", .string("/\(request.target)")),
          ("headers", headers.isEmpty ? nil : .object(headers)), ("body", value),
        ]))
    }
    try present(rows, isSingle: false, invocation, text: ShownText(lines: lines.joined(separator: "\n")))
  }
}
