import BackendKit

/// Reads the answers: records, and what an error answer means.
struct KituraAnswers: Sendable {
  private static let fieldOrder = ["id", "title", "user", "order", "completed", "url"]

  let options: KituraOptions

  // MARK: Records

  /// The record in one JSON value. The server sends its fields in another order each time, and leaves out those without
  /// a value; any of them may be missing.
  func record(_ value: Value) throws(BackendError) -> Record {
    guard let object = value.object else {
      throw BackendError(.badResponse, "the answer holds a \(value.kind) that is no record", effect: .rejected)
    }
    let id = identifier(in: object)
    var fields = Object()
    if let id, object["id"] == nil { fields["id"] = Number(id.text).map { .number($0) } }
    for name in Self.fieldOrder where object[name] != nil { fields[name] = object[name] }
    for name in object.names.sorted() where !Self.fieldOrder.contains(name) { fields[name] = object[name] }
    return Record(id: id, fields: fields)
  }

  /// The whole record that an answer consists of; throws `badResponse` where it is another than `id`.
  func record(in answer: HTTPAnswer, expecting id: RecordID? = nil) async throws(BackendError) -> Record {
    try answer.checkIsNoPage()
    let record = try record(try await answer.body.json())
    guard id == nil || record.id == nil || record.id == id else {
      throw .answeredWith(record.id)
    }
    return record
  }

  /// Whether the server says that it is up.
  func isUp(_ answer: HTTPAnswer) async -> Bool {
    guard answer.isSuccess, let health = try? await answer.body.json() else { return false }
    return health.object?["status"] == "UP"
  }

  private func identifier(in object: Object) -> RecordID? {
    if let id = object["id"]?.integer { return RecordID(String(id)) }
    let last = object["url"]?.text?.split(separator: "/").last.map(String.init) ?? ""
    return KituraResources.identifier.complaint(about: last) == nil ? RecordID(last) : nil
  }

  // MARK: Errors

  /// What an answer that is no success means. Its body is a plain text, if there is any.
  func failure(_ answer: HTTPAnswer, of request: HTTPRequest, id: RecordID? = nil) async -> BackendError {
    let bytes: [UInt8]
    do throws(BackendError) { bytes = try await answer.explanation() } catch { return error }
    let text = answer.words(in: bytes) ?? ""
    let subject = id.map { "record \($0)" } ?? "such record"
    guard answer.status == 404 else { return answer.failure(of: request, subject, saying: text) }
    var error = answer.failure(of: request, subject)
    // A text that begins with "Cannot" says that there is no such route; anything else, that there is no such record.
    let isRoute = text.hasPrefix("Cannot ")
    if isRoute, request.method == "PUT" {
      error.code = .unsupported
      error.message = "this server has no PUT, without which a field cannot be cleared"
      error.hint = "set another value instead"
    } else if isRoute || id == nil {
      error.code = .misconfigured
      error.message = "the server knows no \(request.method) of /\(request.path)"
      error.hint = "check the backend's address"
    }
    return error
  }
}
