import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let request = Command(
    "request", .change, "Send an arbitrary request to a backend",
    arguments: [
      .optional(.backend), .one(RequestMethod.kind), .one(.free("ADDRESS")), .any(.assignment),
    ], effects: [.readsRecords, .writesRecords],
    readsOnly: Command.ReadingForm("reads with GET, HEAD, OPTIONS and LIST only") { reading in
      // Either way of reading the first word must lead to a reading method.
      let methods = [true, false].flatMap { isNamed in
        reading.bound { _, _ in isNamed }.arguments.filter { $0.kind == RequestMethod.kind }.map {
          $0.word.text.uppercased()
        }
      }
      return methods.contains(where: RequestMethod.reading.contains)
        && !methods.contains { RequestMethod.all.contains($0) && !RequestMethod.reading.contains($0) }
    },
    options: GateOptions.syntax + SharedOptions.format,
    details: [
      "The request uses the backend's login and limits, and is logged and traced.",
      "ADDRESS is a path below the backend's address, with or without a query: tickets/5?full=1.",
      "GET, HEAD, OPTIONS and LIST are reads and send the fields in the query. Any other method is a write: it sends the fields as a JSON",
      "object, and is never repeated.",
    ],
    examples: [
      Example(line: "request intranet GET announcements max=1", says: "the unmodified response"),
      Example(
        line: "request todolist PATCH 3 completed:=true", says: "a write that the description does not cover"),
    ]
  ) { invocation, context in
    let (backend, words) = try await Subject(context).backend(of: invocation)
    let (given, address) = (try words.one(RequestMethod.kind), try words.one(.free("ADDRESS")))
    let method = given.text.uppercased()
    guard RequestMethod.all.contains(method) else {
      throw UsageError(
        "\"\(given.text)\" is not a method", hint: "it is one of \(RequestMethod.all.joined(separator: ", "))",
        column: given.column)
    }
    let field = address.text.prefix { $0.isLetter || $0.isNumber || "_.".contains($0) }
    if address.isBare, !field.isEmpty, ["=", ":="].contains(where: address.text.dropFirst(field.count).hasPrefix) {
      throw UsageError(
        "request needs an address before \(field)", hint: "request \(method) ADDRESS \(address.text)",
        column: address.column)
    }
    if let word = words.words(.assignment).first(where: { word in
      word.isBare && word.text.drop { $0 != "=" }.hasPrefix("==")
    }) {
      throw UsageError(
        "\"\(word.text)\" has two equals signs",
        hint: "write \(word.text.prefix { $0 != "=" })\(word.text.drop { $0 != "=" }.dropFirst()), or quote it",
        column: word.column)
    }
    let edits = try await EditWords(context).edits(words, [])
    let isReading = RequestMethod.reading.contains(method)
    var request = try OwnAddress(address).request(method, effect: isReading ? .read : .write)
    let name = backend.configuration.name
    // Describing the backend registers its secret fields for blanking before anything is sent.
    _ = try await backend.client.describe(.known)
    if isReading {
      for case .set(let field, let value) in edits.changes { request.query.append((field, Scope.text(value))) }
      for part in edits.parts { request.query.append((part.description, part.value.map(Scope.text) ?? "")) }
      if invocation.has("as") { return try Gate(context).show(request, to: backend, invocation) }
    } else {
      if !edits.isEmpty {
        request.body = Array(JSONWriter.compact(.object(try edits.filled())).utf8)
        request.headers.append(("Content-Type", "application/json"))
      }
      let target = Target(backend: backend, path: ResourcePath(name: address.text))
      var question = WriteQuestion("Send \(request.summary) to \(name)")
      question.refused = "nothing was sent"
      guard try await Gate(context).admits(request, to: target, question, invocation) else { return }
    }
    let (answer, body): (HTTPResponse, [UInt8])
    do throws(BackendError) {
      if isReading {
        (answer, body) = try await backend.client.send(request)
      } else {
        let target = Target(backend: backend, path: ResourcePath(name: address.text))
        (answer, body) = try await Ledgers(context).ledger(target).send(request, try edits.filled())
      }
    } catch {
      if !isReading { context.writes.tally.add(error.effect) }
      throw error
    }
    let problem = answer.problem(with: request, "/\(request.path)", saying: answer.words(in: body))
    if !isReading { context.writes.tally.add(problem?.effect ?? .applied) }
    // A response that accepts a write for later may say where to look for it.
    if answer.isSuccess { try AnswerOutput(context).show(answer, body, of: method, invocation) }
    guard var error = problem else { return }
    (error.backend, error.operation) = (name, "request")
    throw error
  }
}

enum RequestMethod {
  static let reading = ["GET", "HEAD", "OPTIONS", "LIST"]
  static let all = reading + ["POST", "PUT", "PATCH", "DELETE"]
  static let kind = WordKind.oneOf(all, as: "METHOD")
  /// Methods whose response is all in its head.
  static let ofHead = ["HEAD", "OPTIONS"]
}

/// A path below the backend's address, as typed, with a query after `?`.
private struct OwnAddress {
  private let word: Word

  init(_ word: Word) { self.word = word }

  func request(_ method: String, effect: RequestEffect) throws -> HTTPRequest {
    let text = word.text
    if text.contains(text: "://") || text.hasPrefix("//") {
      throw UsageError(
        "\"\(text)\" is a complete address", hint: "write the path below the backend's address",
        column: word.column)
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = parts[0]
    if path.hasPrefix("/") { path = path.dropFirst() }
    let segments = try path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false).map(decoded)
    var request = HTTPRequest(method, try RequestPath(segments: segments), effect: effect)
    request.headers = [("Accept", "application/json")]
    guard parts.count > 1 else { return request }
    for pair in parts[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      request.query.append((try decoded(sides[0]), sides.count > 1 ? try decoded(sides[1]) : ""))
    }
    return request
  }

  /// A part of the address with its `%XX` decoded.
  private func decoded(_ text: Substring) throws(UsageError) -> String {
    guard let bytes = PercentEncoding.bytes(text) else {
      throw UsageError(
        "\"\(text)\" has a % that is not followed by two hexadecimal digits",
        hint: "write %25 for it", column: word.column)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("\"\(text)\" is not UTF-8", column: word.column)
    }
    return text
  }
}

private struct AnswerOutput: CommandPart {
  let context: CommandContext

  /// Shows the response: JSON as a value, anything else as text, and the head if there is no body.
  func show(
    _ answer: HTTPResponse, _ body: [UInt8], of method: String, _ invocation: Invocation
  ) throws {
    let isOfHead = RequestMethod.ofHead.contains(method)
    if body.isEmpty || isOfHead {
      let head = Object([("status", .int(answer.status))] + answer.headers.map { ($0.0.lowercased(), .string($0.1)) })
      let rows = head.members.map { [$0, Scope.text($1)] }
      return try FactOutput(context).present(
        head, invocation, text: isOfHead ? Columns.text(rows) : "status \(answer.status)\n")
    }
    let value = (try? JSONReader.read(body)) ?? .string(String(decoding: body, as: UTF8.self))
    results.result.value = .value(value)
    let output = try RecordOutput(invocation, context, default: .table)
    switch value {
    case .object, .array:
      guard output.isForPeople else { return try FactOutput(context).present(value, invocation) }
      results.output.write(EscapedText(json: value))
      results.output.write("\n")
    default: try FactOutput(context).present(value, invocation)
    }
  }
}
