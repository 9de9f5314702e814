import BackendKit

/// Reads answers: the envelope in both its forms, records, and errors in each of their three shapes.
struct BaasicAnswers: Sendable {
  /// What was read of a page.
  struct Reading {
    /// How many records were handed on.
    var count = 0
    /// Whether the receiver had enough.
    var isEnough = false
    /// Whether more came than the receiver wanted.
    var isCut = false
    /// The document around the records; nil where there was none.
    var envelope: Object?
  }

  // MARK: Records

  /// Hands the records of a page on as they arrive.
  func page(
    _ answer: HTTPAnswer, of read: PageRead, used: Int, to sink: RecordSink
  ) async throws(BackendError) -> Reading {
    var reading = Reading()
    // The documented answer for an empty page, beside an envelope without items.
    if answer.status == 204 { return reading }
    let document = try await answer.body.elements(.at([["item"], ["_embedded", "item"]])) {
      elements throws(BackendError) in
      // Read on after "enough" until another record shows that the page goes on: the total stands behind the records.
      if reading.isEnough { return .enough }
      var records: [Record] = []
      for element in elements { records.append(try record(element, of: read.place, unloaded: read.unloaded)) }
      let known = min(records.count, max(0, used - reading.count))
      reading.count += records.count
      records.removeFirst(known)
      if !records.isEmpty { reading.isEnough = try await sink.send(records) == .enough }
      return .more
    }
    reading.isCut = document == nil
    reading.envelope = document?.object
    return reading
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

  /// The object in the answer to a write that was accepted; nil where there is none, as after most writes.
  func object(_ answer: HTTPAnswer) async throws(BackendError) -> Object? {
    if answer.status == 204 { return nil }
    do { return try await answer.body.json().object } catch {
      if error.code == .badResponse { return nil }
      throw error.with(effect: .applied)
    }
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
  func end(_ reading: Reading, page: Page) -> PageEnd {
    if reading.isCut { return PageEnd(next: page.rest(after: reading.count)) }
    let total = reading.envelope?["totalRecords"]?.integer
    let echoed = reading.envelope?["recordsPerPage"]?.integer.flatMap { $0 >= 1 ? $0 : nil }
    let size = echoed ?? page.size
    let isLast = total.map { page.number >= ($0 + size - 1) / size } ?? (reading.count < size)
    return PageEnd(
      next: isLast || reading.count == 0 ? nil : page.next,
      total: total ?? (page.number == 1 && isLast ? reading.count : nil), pageSize: size == page.size ? nil : size)
  }

  // MARK: Failures

  /// The error that a status and its body stand for. The body may be missing, a page of HTML or one of three objects.
  func failure(_ answer: HTTPAnswer, _ request: HTTPRequest, _ subject: String) async -> BackendError {
    let said = await words(answer)
    let isWrite = request.effect != .read
    func error(
      _ code: BackendError.Code, _ otherwise: String, _ effect: BackendError.Effect = .rejected, hint: String? = nil
    )
      -> BackendError
    {
      BackendError(code, said.map { "\(otherwise): \($0)" } ?? otherwise, effect: effect, hint: hint)
    }
    switch answer.status {
    case 400, 411, 415, 422: return error(.invalid, "the server did not accept the request")
    case 401: return error(.unauthorized, "the server wants to know who asks", hint: "log in")
    case 403: return error(.forbidden, "the server does not permit this")
    case 404: return error(.notFound, "there is no \(subject)")
    case 409 where request.method == "POST": return error(.alreadyExists, "there is such a record already")
    case 409: return error(.conflict, "somebody else changed the record", hint: "read it again")
    case 413: return error(.invalid, "the data is too large for the server")
    case 429: return error(.rateLimited, "the server has had too many requests", hint: "try again later")
    case 500...:
      return error(
        answer.status == 500 ? .badResponse : .unavailable, "the server failed with status \(answer.status)",
        isWrite ? .unknown : .rejected,
        hint: isWrite ? "read \(subject) again before repeating the command" : "try again later")
    default:
      return error(
        .badResponse, "the server answered with status \(answer.status)", isWrite ? .unknown : .rejected)
    }
  }

  /// What the server says of a failure, or nil. A code in the body is not looked at: it is not reliably the status.
  private func words(_ answer: HTTPAnswer) async -> String? {
    guard let bytes = try? await answer.body.collect(limit: 1 << 16), let body = try? JSONReader.read(bytes).object
    else { return nil }
    let texts = [body["message"], body["error_description"], body["error"]].compactMap { $0?.text }
    return texts.first { !$0.isEmpty }
  }
}

extension BackendError {
  /// The same error with another effect.
  func with(effect: Effect) -> BackendError {
    var error = self
    error.effect = effect
    return error
  }
}
