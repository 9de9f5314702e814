import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The requests of a dry run to show, in a file if there are many.
struct UnsentRequests {
  let rows: RowBuffer
  let output: RecordOutput
  private let blanking: Blanking
  let isCurl: Bool

  init(_ invocation: Invocation, _ ports: CommandContext) throws(UsageError) {
    rows = RowBuffer(in: ports.run.console.environment["TMPDIR"] ?? "/tmp", limit: 1 << 40)
    output = try RecordOutput(invocation, ports, default: .table)
    blanking = ports.reporter.blanking
    isCurl = invocation.has("as")
  }

  /// Adds a write without a request yet, as a comment.
  func add(_ planned: PlannedWrite, awaiting name: String) {
    let text = "# \(planned): \(planned.write.verb) \(planned.write.resource), after \(name) was created"
    rows.add([Record(id: nil, fields: Object(facts: [(output.isForPeople ? "line" : "command", text)]))])
  }

  func add(_ request: HTTPRequest, to backend: OpenBackend) throws(UsageError) {
    if isCurl {
      let name = output.isForPeople ? "line" : "command"
      let command = try CurlCommand(request, to: backend, blanking).text
      return rows.add([Record(id: nil, fields: Object(facts: [(name, command)]))])
    }
    let bytes = request.body ?? request.content.map { Array(JSONWriter.compact($0.summary).utf8) }
    let body = bytes.map { blanking.text(String(decoding: $0, as: UTF8.self)) }
    let path = "/\(blanking.address(request.target))"
    var fields: [(String, any Fact)]
    if output.isForPeople {
      let conditions = request.headers.filter { $0.0.lowercased().hasPrefix("if-") }.map { " \($0.0): \($0.1)" }
      let line = "\(blanking.address(request.summary))\(conditions.joined())\(body.map { " \($0)" } ?? "")"
      fields = [("line", line)]
    } else {
      let headers = Object(request.headers.map { ($0.0, .string($0.1)) })
      fields = [
        ("method", request.method), ("path", path), ("headers", headers.isEmpty ? nil : headers),
        ("body", body.map { (try? JSONReader.read($0)) ?? Value.string($0) }),
      ]
    }
    rows.add([Record(id: nil, fields: Object(facts: fields))])
  }
}
