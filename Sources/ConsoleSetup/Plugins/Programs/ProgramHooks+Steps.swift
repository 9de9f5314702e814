import BackendKit

extension ProgramHooks {
  /// Runs before a write, or after an unsuccessful response to it. An error of the program fails the write.
  func step(_ operation: Service.Operation, _ responses: [Service.Response], _ kept: inout Object) -> Service.Step {
    // If the program failed over the response, the status counts.
    if operation.error != nil, process.hasFailed { return .usual }
    let effect = operation.error?.effect ?? .notSent
    let asked: [(String, Value)] = [
      ("id", operation.id.map { .string($0.text) } ?? .null), ("request", Self.value(operation.request)),
      ("means", operation.error.map(Self.value) ?? .null), ("responses", .array(responses.map(Self.value))),
      ("kept", .object(kept)),
    ]
    do throws(BackendError) {
      let (step, keeps) = try ask(.interceptWrite, asked, refused: .invalid, effect) { answer throws(ProgramMistake) in
        try answer.allow(["step", "request", "kept"])
        return (try Self.step(answer), answer.object["kept"] == nil ? kept : try answer.inner("kept"))
      }
      kept = keeps
      return step
    } catch { return .fail(error) }
  }

  private static func step(_ answer: ProgramReading) throws(ProgramMistake) -> Service.Step {
    switch try answer.text("step") {
    case "usual": return .usual
    case "send": return .send(try request(answer))
    case "instead": return .instead(try request(answer))
    default: throw answer.mistake("has a \"step\" that is neither usual, send nor instead")
    }
  }

  private static func request(_ answer: ProgramReading) throws(ProgramMistake) -> HTTPRequest {
    let given = ProgramReading(try answer.inner("request"), ProgramQuestion.interceptWrite.rawValue)
    try given.allow(["method", "path", "query", "headers", "body", "repeatable"])
    let method = try given.text("method")
    guard method.utf8.allSatisfy({ $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) else {
      throw answer.mistake("has a request whose method is not in capital letters")
    }
    guard let path = try? RequestPath(segments: try given.texts("path")) else {
      throw answer.mistake("has a request with an invalid path")
    }
    let headers = try given.pairs("headers")
    if let header = headers.first(where: { ReservedName.problem(ofHeader: $0.0) != nil }) {
      throw answer.mistake("has a request with the header field \(header.0.prefix(40))")
    }
    let query = try given.pairs("query")
    try check(parameters: query, answer)
    let isRead = RequestEffect.readingMethods.contains(method)
    return HTTPRequest(
      method, path, query: query, headers: headers,
      body: given.object["body"]?.text.map { Array($0.utf8) },
      effect: isRead ? .read : given.object["repeatable"] == .bool(true) ? .repeatableWrite : .write)
  }

  /// Throws if a program sets a parameter that would change the checked request.
  static func check(parameters: [(String, String)], _ answer: ProgramReading) throws(ProgramMistake) {
    guard let parameter = parameters.first(where: { ReservedName.problem(ofParameter: $0.0) != nil }) else { return }
    throw answer.mistake("has the parameter \(parameter.0.prefix(40))")
  }

  // MARK: As JSON

  private static func value(_ pairs: [(String, String)]) -> Value {
    .array(pairs.map { [.string($0), .string($1)] })
  }

  private static func value(_ body: [UInt8]?) -> Value {
    body.flatMap { String(validating: $0, as: UTF8.self) }.map { .string($0) } ?? .null
  }

  private static func value(_ request: HTTPRequest) -> Value {
    [
      "method": .string(request.method), "path": .array(request.path.segments.map { .string($0) }),
      "query": value(request.query), "headers": value(request.headers), "body": value(request.body),
    ]
  }

  private static func value(_ response: Service.Response) -> Value {
    ["status": .int(response.status), "headers": value(response.headers), "body": value(response.body)]
  }

  /// Returns a failure's meaning in the form of `classify`.
  static func value(_ error: BackendError) -> Value {
    [
      "code": .string(error.code.rawValue), "message": .string(error.message),
      "hint": error.hint.map { .string($0) } ?? .null,
    ]
  }
}
