import BackendKit
import Files

/// An exchange in a recording: a line of JSON.
struct RecordedExchange: Sendable {
  struct Request: Sendable, Hashable {
    var method: String
    /// Path and query as sent, below the backend's address.
    var target: String
    var effect: RequestEffect
    var headers: [Field] = []
    var body: [UInt8]?
  }

  struct Response: Sendable, Hashable {
    var status: Int
    var headers: [Field]
    /// The part of the body that was read.
    var body: [UInt8] = []
    /// The lengths of the pieces in which it arrived.
    var pieces: [Int] = []
    /// True if it was read to its end.
    var isWhole = false
  }

  struct Field: Sendable, Hashable {
    var name: String
    var value: String
  }

  /// Its number among the requests of the run, from 1.
  var number: Int
  var backend: String
  /// The address for messages.
  var address: String
  /// The exchanges in flight when this one began.
  var concurrent: [Int]
  var request: Request
  var response: Response?
  /// The result of an operation for which the adapter sent no request, such as the current user.
  var result: Object?
  /// The reason why there is no response, or only a part of it.
  var failure: BackendError?
  /// The outcome of each attempt; nil for a single one without a failure.
  var attempts: [AttemptLog.Outcome]?
  var notes: [String] = []
  /// The number of its line in the file; 0 if it was not read from one.
  var line = 0
}

extension RecordedExchange {
  var value: Value {
    .object(
      Object(facts: [
        ("number", number), ("backend", backend), ("address", address),
        ("concurrent", concurrent.isEmpty ? nil : concurrent), ("request", request.object),
        ("response", response?.object), ("result", result), ("failure", failure?.recorded),
        ("attempts", attempts?.map(\.recorded)), ("notes", notes.isEmpty ? nil : notes),
      ]))
  }

  init?(_ value: Value, line: Int) {
    guard let object = value.object, let number = object["number"]?.integer, let backend = object["backend"]?.text,
      let address = object["address"]?.text, let request = object["request"]?.object.flatMap(Request.init)
    else { return nil }
    self.init(
      number: number, backend: backend, address: address,
      concurrent: (object["concurrent"]?.array ?? []).compactMap(\.integer),
      request: request, line: line)
    if let response = object["response"] {
      guard let read = response.object.flatMap(Response.init) else { return nil }
      self.response = read
    }
    if let failure = object["failure"] {
      guard let read = failure.object.flatMap(BackendError.init(recorded:)) else { return nil }
      self.failure = read
    }
    if let attempts = object["attempts"] {
      let read = attempts.array?.compactMap(AttemptLog.Outcome.init(recorded:))
      guard let read, read.count == attempts.array?.count else { return nil }
      self.attempts = read
    }
    notes = (object["notes"]?.array ?? []).compactMap(\.text)
    result = object["result"]?.object
    guard self.response != nil || self.failure != nil || result != nil else { return nil }
  }
}

extension RecordedExchange.Request {
  fileprivate var object: Object {
    Object(
      [
        ("method", .string(method)), ("target", .string(target)), ("effect", .string(effect.rawValue)),
        ("headers", RecordedExchange.Field.value(headers)),
      ] + (body.map { [RecordedExchange.member($0)] } ?? []))
  }

  fileprivate init?(_ object: Object) {
    guard let method = object["method"]?.text, let target = object["target"]?.text,
      let effect = object["effect"]?.text.flatMap(RequestEffect.init), let headers = RecordedExchange.Field.list(object)
    else { return nil }
    self.init(
      method: method, target: target, effect: effect, headers: headers, body: RecordedExchange.bytes(of: object))
  }
}

extension RecordedExchange.Response {
  fileprivate var object: Object {
    Object(
      [("status", .int(status)), ("headers", RecordedExchange.Field.value(headers)), RecordedExchange.member(body)]
        + (pieces.count > 1 ? [("pieces", .array(pieces.map { .int($0) }))] : []) + [("isWhole", .bool(isWhole))])
  }

  fileprivate init?(_ object: Object) {
    guard let status = object["status"]?.integer, let headers = RecordedExchange.Field.list(object),
      let body = RecordedExchange.bytes(of: object), let isWhole = object["isWhole"]?.bool
    else { return nil }
    let pieces = (object["pieces"]?.array ?? []).compactMap(\.integer)
    let fits = pieces.allSatisfy { (1...max(1, body.count)).contains($0) } && pieces.reduce(0, +) == body.count
    self.init(
      status: status, headers: headers, body: body, pieces: fits ? pieces : body.isEmpty ? [] : [body.count],
      isWhole: isWhole)
  }
}

extension RecordedExchange.Field {
  fileprivate static func value(_ fields: [RecordedExchange.Field]) -> Value {
    .array(fields.map { .array([.string($0.name), .string($0.value)]) })
  }

  fileprivate static func list(_ object: Object) -> [RecordedExchange.Field]? {
    guard let pairs = object["headers"]?.array else { return nil }
    let fields = pairs.compactMap { pair -> RecordedExchange.Field? in
      guard let texts = pair.array?.compactMap(\.text), texts.count == 2 else { return nil }
      return RecordedExchange.Field(name: texts[0], value: texts[1])
    }
    return fields.count == pairs.count ? fields : nil
  }
}

extension RecordedExchange {
  /// A body as a member: text, or base64 if it is not UTF-8.
  fileprivate static func member(_ body: [UInt8]) -> (String, Value) {
    if let text = String(validating: body, as: UTF8.self) { return ("body", .string(text)) }
    return ("base64", .string(Base64.encode(body)))
  }

  fileprivate static func bytes(of object: Object) -> [UInt8]? {
    if let text = object["body"]?.text { return Array(text.utf8) }
    return object["base64"]?.text.flatMap(Base64.decode)
  }
}

extension BackendError {
  fileprivate var recorded: Object {
    Object(facts: [
      ("code", code.rawValue), ("effect", effect.rawValue), ("message", message), ("hint", hint), ("cause", cause),
      ("httpStatus", httpStatus), ("retryAfter", retryAfter),
    ])
  }

  fileprivate init?(recorded object: Object) {
    guard let code = object["code"]?.text.flatMap(Code.init), let effect = object["effect"]?.text.flatMap(Effect.init),
      let message = object["message"]?.text
    else { return nil }
    self.init(
      code, message, effect: effect, hint: object["hint"]?.text, httpStatus: object["httpStatus"]?.integer,
      cause: object["cause"]?.text)
    retryAfter = object["retryAfter"]?.integer.map { min(max($0, 0), 1_000_000_000) }
  }
}

extension AttemptLog.Outcome {
  fileprivate var recorded: Value {
    switch self {
    case .notSent: "notSent"
    case .unanswered: "unanswered"
    case .answered(let status): .int(status)
    }
  }

  fileprivate init?(recorded value: Value) {
    switch (value.text, value.integer) {
    case ("notSent"?, _): self = .notSent
    case ("unanswered"?, _): self = .unanswered
    case (_, let status?): self = .answered(status)
    default: return nil
    }
  }
}
