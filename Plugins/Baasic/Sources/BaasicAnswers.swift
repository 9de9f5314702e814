import BackendKit

/// Reads answers: the envelope in both its forms, records, and errors in each of their three shapes.
struct BaasicAnswers: Sendable {
  // MARK: Records

  /// Hands the records of a page on as they arrive.
  func page(
    _ answer: HTTPAnswer, of read: PageRead, used: Int, to sink: RecordSink
  ) async throws(BackendError) -> PageReading {
    // The documented answer for an empty page, beside an envelope without items.
    if answer.status == 204 { return PageReading(document: .object(Object())) }
    return try await answer.body.records(.at([["item"], ["_embedded", "item"]]), after: used, to: sink) {
      (value) throws(BackendError) in try record(value, of: read.place, unloaded: read.unloaded)
    }
  }

  /// One record, as it came; `asked` is its identifier where the body names none.
  func record(
    _ value: Value, of place: Place, asked: RecordID? = nil, unloaded: [String] = []
  ) throws(BackendError) -> Record {
    guard let fields = value.object else {
      throw BackendError(.badResponse, "the server has a \(value.kind) where a record should be", effect: .rejected)
    }
    return Record(id: RecordID(fields[place.identifier]) ?? asked, fields: fields, unloaded: unloaded)
  }

  /// The object in the answer to a write that was accepted; nil where there is none, as the service documents of most
  /// writes. What cannot be read leaves the effect `open`.
  func object(_ answer: HTTPAnswer, _ open: BackendError.Effect) async throws(BackendError) -> Object? {
    try await answer.accepted(open) { () throws(BackendError) -> Object? in
      guard let value = try await answer.body.jsonIfAny(), value != .null else { return nil }
      guard let object = value.object else {
        throw BackendError(.badResponse, "the server has a \(value.kind) where a record should be", effect: open)
      }
      return object
    } ?? nil
  }

  /// What an answer, if it holds a record, says otherwise than was sent.
  static func differences(of sent: Object, from answer: Object?) -> [String] {
    guard let answer else { return [] }
    return sent.members.filter { name, value in answer[name].map { !$0.isSame(as: value) } ?? (value != .null) }
      .map { "the server answered with \(answer[$0.0] == nil ? "no" : "another") \($0.0)" }
  }

  /// A record as it may be sent back: without what is no property of it.
  static func storable(_ record: Object) -> Object {
    var record = record
    for name in ["_links", "_embedded", "links", "Links", "embed"] { record[name] = nil }
    return record
  }

  // MARK: Pages

  /// Where the next page begins. The echoed page size counts, for the server may have capped it; an empty page ends
  /// the list whatever the total says, for records may have gone meanwhile.
  func end(_ reading: PageReading, page: Page) -> PageEnd {
    guard let envelope = reading.document?.object else { return PageEnd(next: page.rest(after: reading.count)) }
    let total = envelope["totalRecords"]?.integer
    let echoed = envelope["recordsPerPage"]?.integer.flatMap { $0 >= 1 ? $0 : nil }
    let size = echoed ?? page.size
    var isLast = total.map { page.number >= ($0 + size - 1) / size } ?? (reading.count < size)
    // A short page of which nobody says how large it was to be: the server may have capped it, so the next one is looked at.
    if let total, echoed == nil, reading.count < size { isLast = page.number == 1 && reading.count >= total }
    return PageEnd(
      next: isLast || reading.count == 0 ? nil : page.next,
      total: total ?? (page.number == 1 && isLast ? reading.count : nil), pageSize: size == page.size ? nil : size)
  }

  // MARK: Failures

  /// The error that a status and its body stand for. The body may be missing, a page of HTML or one of three objects.
  func failure(_ answer: HTTPAnswer, of request: HTTPRequest, _ subject: String) async -> BackendError {
    let bytes: [UInt8]
    do throws(BackendError) { bytes = try await answer.explanation() } catch { return error }
    let error = answer.failure(
      of: request, subject, saying: Self.message(in: try? JSONReader.read(bytes)) ?? answer.words(in: bytes))
    return error.code == .unauthorized ? error.with(effect: error.effect, hint: "log in") : error
  }

  /// What the server says of a failure, or nil. A code in the body is not looked at: it is not reliably the status.
  private static func message(in body: Value?) -> String? {
    guard let object = body?.object else { return nil }
    let texts = [object["message"], object["error_description"], object["error"]].compactMap { $0?.text }
    return texts.first { !$0.isEmpty }
  }
}
