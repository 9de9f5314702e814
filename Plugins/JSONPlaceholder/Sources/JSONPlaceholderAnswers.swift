import BackendKit

/// Reads answers. The status decides; a body is never needed to tell success from failure, and never quoted: error
/// bodies are pages with the server's stack in them.
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

  /// The object in the answer to a write that was accepted; nil where there is none to read.
  func object(_ answer: HTTPAnswer) async throws(BackendError) -> Object? {
    try await answer.accepted { () throws(BackendError) in try await answer.body.json().object } ?? nil
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
