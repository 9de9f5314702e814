import BackendKit

/// Reads answers. The status decides; a body is never needed to tell success from failure, and never quoted: error
/// bodies are pages with the server's stack in them.
struct JSONPlaceholderAnswers: Sendable {
  let options: JSONPlaceholderOptions

  /// What was read of a list.
  struct Reading {
    /// How many records were handed on.
    var count = 0
    /// Whether the receiver had enough.
    var isEnough = false
    /// The document around the records, or nil where more came than the receiver wanted.
    var document: Value?
  }

  // MARK: Records

  /// Hands the records of a list on as they arrive.
  func list(_ answer: HTTPAnswer, window: Window, to sink: RecordSink) async throws(BackendError) -> Reading {
    var reading = Reading()
    var reader = JSONReader(items: .at(options.version == .one ? [["data"]] : [[]]))
    while let piece = try await answer.body.next() {
      let elements: [Value]
      do { elements = try reader.feed(piece) } catch { throw .unreadable("the answer is no JSON list: \(error)") }
      if elements.isEmpty { continue }
      // Read on after "enough" until another record shows that the list goes on.
      if reading.isEnough { return reading }
      var records: [Record] = []
      for element in elements { records.append(try record(element)) }
      let known = min(records.count, max(0, window.used - reading.count))
      reading.count += records.count
      records.removeFirst(known)
      if records.isEmpty { continue }
      reading.isEnough = try await sink.send(records) == .enough
    }
    let document: Value
    do { document = try reader.finish() } catch { throw .unreadable("the answer is no JSON list: \(error)") }
    guard reader.foundItems else { throw mismatch(document) }
    reading.document = document
    return reading
  }

  /// One record; `asked` is its identifier where the body names none.
  func record(_ value: Value, asked: RecordID? = nil) throws(BackendError) -> Record {
    guard let fields = value.object else {
      throw .unreadable("the server holds a \(value.kind) where a record should be")
    }
    return Record(id: RecordID(fields["id"]) ?? asked, fields: fields)
  }

  /// The object in the answer to a write that was accepted; nil where there is none to read.
  func object(_ answer: HTTPAnswer) async throws(BackendError) -> Object? {
    do { return try await answer.body.json().object } catch {
      if error.code == .badResponse { return nil }
      throw error.with(effect: .applied)
    }
  }

  /// An answer of the other generation of json-server.
  private func mismatch(_ document: Value) -> BackendError {
    switch (options.version, document) {
    case (.zero, .object(let object)) where object["data"]?.array != nil && object["items"] != nil:
      .misconfigured(
        "the server answers as json-server 1 does, with an object around the records",
        hint: "set the option apiVersion to 1")
    case (.one, .array):
      .misconfigured(
        "the server answers as json-server 0.17 does, with a plain list", hint: "set the option apiVersion to 0.17")
    default:
      .unreadable("the server answers with \(document.kind == "object" ? "one object" : document.kind), not a list")
    }
  }

  // MARK: Pages

  /// Where the next page begins, from the count in the header and, failing that, from what came. Links are not looked
  /// at: they name the wrong scheme, and are empty where everything is on one page.
  func end(_ reading: Reading, of answer: HTTPAnswer, window: Window) throws(BackendError) -> PageEnd {
    if options.version == .one { return end(envelope: reading, window: window) }
    let total = answer.header("X-Total-Count").flatMap { Int($0) }
    let end = window.start + reading.count
    // Given up in the middle, the list goes on after the last record taken.
    guard reading.document != nil else { return PageEnd(next: Cursor("\(end)"), total: total) }
    guard let size = window.size else { return PageEnd(total: total ?? end) }
    guard reading.count <= size else {
      guard window.start == 0 else { throw .unreadable("the server does not keep to the page that was asked for") }
      return PageEnd(total: total ?? end, pageSize: reading.count)
    }
    let isLast = total.map { end >= $0 } ?? (reading.count < size)
    // An empty page before the counted end means that records were deleted meanwhile.
    return PageEnd(
      next: isLast || reading.count == 0 ? nil : Cursor("\(window.start + size)"), total: total ?? (isLast ? end : nil))
  }

  private func end(envelope reading: Reading, window: Window) -> PageEnd {
    let size = window.size ?? 1
    guard let envelope = reading.document?.object else {
      // Pages of one size only: the same one is read again, without what was taken of it.
      return PageEnd(next: Cursor("\(window.start)/\(reading.count)"))
    }
    // A page past the end is answered with the last one, so only a page that the server names is asked for.
    let next = envelope["next"]?.integer.flatMap { $0 > window.start / size + 1 ? ($0 - 1) * size : nil }
    return PageEnd(next: next.map { Cursor("\($0)") }, total: envelope["items"]?.integer)
  }

  // MARK: Failures

  /// The error that a status stands for.
  func failure(_ answer: HTTPAnswer, _ request: HTTPRequest, _ subject: String) -> BackendError {
    let isWrite = request.effect != .read
    switch answer.status {
    case 400, 415, 422:
      return BackendError(.invalid, "the server did not accept the data (status \(answer.status))", effect: .rejected)
    case 401: return BackendError(.unauthorized, "the server wants to know who asks", effect: .rejected)
    case 403: return BackendError(.forbidden, "the server refuses", effect: .rejected)
    case 404: return BackendError(.notFound, "there is no \(subject)", effect: .rejected)
    case 409: return BackendError(.conflict, "the server reports a conflict", effect: .rejected)
    case 413: return BackendError(.invalid, "the data is too large for the server", effect: .rejected)
    case 429:
      let wait = answer.header("Retry-After").flatMap { Int($0) }
      return BackendError(
        .rateLimited, "the server has had too many requests", effect: .rejected,
        hint: wait.map { "try again in \($0) seconds" } ?? "try again later")
    case 500...:
      return BackendError(
        answer.status == 500 ? .badResponse : .unavailable, "the server failed with status \(answer.status)",
        effect: isWrite ? .unknown : .rejected,
        hint: isWrite ? "read \(subject) again before repeating the command" : "try again later")
    case 300..<400:
      return .misconfigured("the server points elsewhere (status \(answer.status))", hint: "check the backend's url")
    default:
      return BackendError(
        .badResponse, "the server answered with status \(answer.status)", effect: isWrite ? .unknown : .rejected)
    }
  }
}

extension BackendError {
  /// An answer that makes no sense.
  static func unreadable(_ message: String) -> BackendError { BackendError(.badResponse, message, effect: .rejected) }

  /// The same error with another effect.
  func with(effect: Effect) -> BackendError {
    var error = self
    error.effect = effect
    return error
  }
}
