import BackendKit
import BackendTransport
import ConsoleOutput
import ConsoleSetup

/// The text of a trace event without secrets: lines for people, an object for programs.
enum TraceText {
  /// The event as lines, beginning with `>` if sent, `<` if received, and `!` for a failure.
  static func lines(_ event: TraceEvent, _ blanking: Blanking, limit: Int) -> [String] {
    let number = "\(event.request).\(event.attempt)"
    switch event.kind {
    case .request(let method, let address, let headers, let body):
      let shown = body.map { content($0, headers, blanking, limit: limit) }
      return ["> \(number) \(method) \(blanking.address(address))"]
        + fields(headers, blanking).map { "> \($0.0): \($0.1)" } + (shown.map { [">"] + rows($0, after: "> ") } ?? [])
    case .response(let status, let headers):
      return ["< \(number) \(status), \(milliseconds(event.time)) ms"]
        + fields(headers, blanking).map { "< \($0.0): \($0.1)" }
    case .body(let bytes, let length, let isWhole):
      return ["< \(number) \(extent(bytes, length, isWhole, limit)), \(milliseconds(event.time)) ms"]
        + rows(content(bytes, [], blanking, limit: limit), after: "< ")
    case .failure(let message):
      return ["! \(number) \(blanking.text(message)), \(milliseconds(event.time)) ms"]
    }
  }

  static func object(_ event: TraceEvent, _ blanking: Blanking, limit: Int) -> Object {
    let members: [(String, any Fact)]
    var message: String
    switch event.kind {
    case .request(let method, let address, let headers, let body):
      let address = blanking.address(address)
      message = "\(method) \(address)"
      members = [
        ("event", "request"), ("method", method), ("url", address), ("headers", array(fields(headers, blanking))),
        ("body", body.map { content($0, headers, blanking, limit: limit) }),
      ]
    case .response(let status, let headers):
      message = "status \(status)"
      members = [("event", "response"), ("httpStatus", status), ("headers", array(fields(headers, blanking)))]
    case .body(let bytes, let length, let isWhole):
      message = extent(bytes, length, isWhole, limit)
      members = [
        ("event", "body"), ("body", content(bytes, [], blanking, limit: limit)), ("bytes", length),
        ("complete", isWhole),
      ]
    case .failure(let failure):
      message = blanking.text(failure)
      members = [("event", "failure")]
    }
    message = EscapedText(message).text
    return Object(
      facts: [
        ("level", "trace"), ("message", message), ("request", event.request), ("attempt", event.attempt),
        ("milliseconds", milliseconds(event.time)),
      ] + members)
  }

  private static func fields(_ headers: [(String, String)], _ blanking: Blanking) -> [(String, String)] {
    headers.map { ($0, blanking.header($0, $1)) }
  }

  private static func array(_ fields: [(String, String)]) -> [Object] {
    fields.map { Object(facts: [("name", $0.0), ("value", $0.1)]) }
  }

  /// A body as text, truncated only after blanking: a part of a secret would not be recognized.
  private static func content(
    _ bytes: [UInt8], _ headers: [(String, String)], _ blanking: Blanking, limit: Int
  ) -> String {
    let type = headers.first { $0.0.lowercased() == "content-type" }?.1.lowercased()
    let isForm = type?.hasPrefix("application/x-www-form-urlencoded") == true
    let shown = blanking.body(bytes, isForm: isForm)
    return String(decoding: shown.prefix(limit), as: UTF8.self) + (shown.count > limit ? "…" : "")
  }

  private static func rows(_ text: String, after mark: String) -> [String] {
    text.isEmpty ? [] : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { mark + $0 }
  }

  private static func extent(_ bytes: [UInt8], _ length: Int, _ isWhole: Bool, _ limit: Int) -> String {
    let rest =
      length > 0 && bytes.isEmpty ? ", not shown" : length > limit ? ", of which the first \(limit) are shown" : ""
    return "body: \(length) bytes\(rest)\(isWhole ? "" : ", not read to its end")"
  }

  private static func milliseconds(_ time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
