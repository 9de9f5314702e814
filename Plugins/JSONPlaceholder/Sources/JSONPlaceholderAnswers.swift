import BackendKit

/// Reads answers. The status decides; a body is never needed to tell success from failure, and of an error body no more than
/// its first line is quoted: below it stands the server's stack.
struct JSONPlaceholderAnswers: Sendable {
  let options: JSONPlaceholderOptions

  // MARK: Records

  /// Hands the records of a list on as they arrive.
  func list(_ answer: HTTPAnswer, window: Window, to sink: RecordSink) async throws(BackendError) -> PageReading {
    let items = JSONReader.Items.at(options.version == .one ? [["data"]] : [[]])
    return try await answer.body.records(items, after: window.used, to: sink, otherwise: mismatch) {
      (value) throws(BackendError) in try record(value)
    }
  }

  /// One record; `asked` is its identifier where the body names none.
  func record(_ value: Value, asked: RecordID? = nil) throws(BackendError) -> Record {
    guard let fields = value.object else {
      throw .unreadable("the server holds a \(value.kind) where a record should be")
    }
    return Record(id: RecordID(fields["id"]) ?? asked, fields: fields)
  }

  /// The object in the answer to a write that was accepted; nil where its status says that there is none. What cannot be
  /// read leaves the effect `open`.
  func object(_ answer: HTTPAnswer, _ open: BackendError.Effect) async throws(BackendError) -> Object? {
    try await answer.accepted(open) { () throws(BackendError) in
      let value = try await answer.body.json()
      guard let object = value.object else {
        throw .unreadable("the server holds a \(value.kind) where a record should be")
      }
      return object
    }
  }

  /// The identifier in the address of a new record: the server puts it behind the address that was asked.
  func identifier(inLocationOf answer: HTTPAnswer, below collection: String) -> RecordID? {
    let parts = answer.header("Location")?.split(separator: "/") ?? []
    guard parts.count >= 2, let last = parts.last, parts[parts.count - 2] == collection,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "-_".utf8.contains($0) }
      )
    else { return nil }
    return RecordID(String(last))
  }

  /// What a response that is no success means.
  func failure(_ answer: HTTPAnswer, of request: HTTPRequest, _ subject: String) async -> BackendError {
    do throws(BackendError) {
      let bytes = try await answer.explanation()
      return answer.failure(of: request, subject, saying: answer.words(in: bytes) ?? Self.line(in: bytes))
    } catch { return error }
  }

  /// The first line of the server's own error page, or of the text that it announces as one, which says what failed; its
  /// stack stands below.
  private static func line(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let content = text.firstRange(of: "<pre>").map { text[$0.upperBound...] } ?? text[...]
    guard content.first != "{", content.first != "[" else { return nil }
    guard let line = content.split(whereSeparator: \.isNewline).first?.prefix(while: { $0 != "<" }), !line.isEmpty
    else { return nil }
    return [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
      .reduce(String(line)) { $0.replacing($1.0, with: $1.1) }
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
  func end(_ reading: PageReading, of answer: HTTPAnswer, window: Window) throws(BackendError) -> PageEnd {
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

  /// One page of json-server 1. It is held until what stands around it has told which page it is: one past the end is
  /// answered with the last, whose records came before.
  func page(_ answer: HTTPAnswer, window: Window, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let size = window.size ?? 1
    let number = window.start / size + 1
    let held = HeldPage()
    let reading = try await list(answer, window: window, to: held.sink)
    guard let envelope = reading.document?.object else { throw .unreadable("the server sent no page") }
    guard reading.count <= size else { throw .unreadable("the server does not keep to the page that was asked for") }
    let total = envelope["items"]?.integer
    guard let pages = envelope["pages"]?.integer else { throw .unreadable("the page does not tell how many there are") }
    guard number <= max(pages, 1) else { return PageEnd(total: total) }
    let records = await held.records
    if !records.isEmpty { _ = try await sink.send(records) }
    let next = envelope["next"]?.integer.flatMap { $0 > number ? ($0 - 1) * size : nil }
    return PageEnd(next: next.map { Cursor("\($0)") }, total: total)
  }
}

extension BackendError {
  /// An answer that makes no sense.
  static func unreadable(_ message: String) -> BackendError { BackendError(.badResponse, message, effect: .rejected) }
}
