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
    try checkType(answer)
    let record = try record(try await answer.body.json())
    guard id == nil || record.id == nil || record.id == id else {
      throw BackendError(
        .badResponse, "the server answered with record \(record.id?.text ?? "") instead", effect: .rejected)
    }
    return record
  }

  /// The record in the answer to a write. What cannot be read leaves open what became of the data.
  func written(_ answer: HTTPAnswer, expecting id: RecordID? = nil) async throws(BackendError) -> Record {
    do throws(BackendError) { return try await record(in: answer, expecting: id) } catch {
      var error = error
      error.effect = answer.status == 201 ? .applied : .unknown
      error.hint = "the server said \(answer.status); look at the records before trying again"
      throw error
    }
  }

  /// Throws `badResponse` for a page of HTML, which the server sends with status 200 where it has no route.
  func checkType(_ answer: HTTPAnswer, effect: BackendError.Effect = .rejected) throws(BackendError) {
    guard answer.header("Content-Type")?.lowercased().hasPrefix("text/html") == true else { return }
    throw BackendError(
      .badResponse, "the server answered with a web page", effect: effect, hint: "check the backend's address")
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
    do throws(BackendError) { bytes = try await answer.body.collect(limit: 1 << 18) } catch {
      if error.code == .cancelled { return error }
      bytes = []
    }
    let type = answer.header("Content-Type")?.lowercased() ?? ""
    let text = type.hasPrefix("text/html") ? "" : String(decoding: bytes, as: UTF8.self)
    let effect: BackendError.Effect = request.effect != .read && answer.status >= 500 ? .unknown : .rejected
    if answer.status == 404 { return missing(text, request, id, effect) }
    let said = text.isEmpty ? "" : ": \(Self.shortened(text))"
    var error = BackendError(
      code(answer.status), "the server answered \(answer.status)\(said)", effect: effect, cause: request.summary)
    switch answer.status {
    case 300..<400, 405, 406: error.hint = "check the backend's address"
    case 415: error.hint = "the server does not take JSON here; check the backend's address"
    case 500... where effect == .unknown: error.hint = "look at the records before trying again"
    default: break
    }
    return error
  }

  /// The two meanings of 404: a text that begins with "Cannot" says that there is no such route, anything else that there
  /// is no such record.
  private func missing(
    _ text: String, _ request: HTTPRequest, _ id: RecordID?, _ effect: BackendError.Effect
  ) -> BackendError {
    let isRoute = text.hasPrefix("Cannot ")
    if isRoute, request.method == "PUT" {
      return BackendError(
        .unsupported, "this server has no PUT, without which a field cannot be cleared", effect: effect,
        hint: "set another value instead", cause: request.summary)
    }
    if let id, !isRoute {
      return BackendError(.notFound, "there is no record \(id)", effect: effect, cause: request.summary)
    }
    return BackendError(
      .misconfigured, "the server knows no \(request.method) of /\(request.path)", effect: effect,
      hint: "check the backend's address", cause: request.summary)
  }

  private func code(_ status: Int) -> BackendError.Code {
    switch status {
    case 400, 413, 422: .invalid
    case 401: .unauthorized
    case 403: .forbidden
    case 405, 406, 415: .misconfigured
    case 409, 412: .conflict
    case 429: .rateLimited
    case 501...: .unavailable
    default: .badResponse
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count <= 200 ? text : text.prefix(199) + "…"
  }
}
