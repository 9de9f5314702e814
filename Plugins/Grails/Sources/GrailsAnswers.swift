import BackendKit

/// Reads the answers: records, and what an error answer means.
struct GrailsAnswers: Sendable {
  private static let fieldOrder = ["id", "title", "body"]

  let options: GrailsOptions

  // MARK: Records

  /// The record in one JSON value. A list of version 2.0 does not load the body; anywhere else a field that is not
  /// there is a null, which the server never writes.
  func record(_ value: Value, inList: Bool) throws(BackendError) -> Record {
    guard let object = value.object, let id = RecordID(object["id"]) else {
      throw BackendError(
        .badResponse, "the answer holds a \(value.kind) that is no record with an id", effect: .rejected,
        hint: "check whether the option readPath leads to records")
    }
    let isUnloaded = inList && !options.listsBodies && object["body"] == nil
    var fields = Object()
    for name in Self.fieldOrder where !(isUnloaded && name == "body") { fields[name] = object[name] ?? .null }
    for (name, value) in object.members where !Self.fieldOrder.contains(name) { fields[name] = value }
    return Record(id: id, fields: fields, unloaded: isUnloaded ? ["body"] : [])
  }

  /// The whole record that an answer consists of; throws `badResponse` where it is another than `id`.
  func record(in answer: HTTPAnswer, expecting id: RecordID? = nil) async throws(BackendError) -> Record {
    let record = try record(try await answer.body.json(), inList: false)
    guard id == nil || record.id == id else {
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

  /// Throws `badResponse` where a deletion is answered with a page of HTML, as a gateway in between might do.
  func checkDeleted(_ answer: HTTPAnswer) throws(BackendError) {
    guard answer.header("Content-Type")?.lowercased().hasPrefix("text/html") == true else { return }
    throw BackendError(
      .badResponse, "the server answered with a web page", effect: .unknown, hint: "check the backend's address")
  }

  /// The product and its version in the server's words about itself, or nil where it tells none.
  func product(in answer: HTTPAnswer) async -> String? {
    guard answer.isSuccess, let about = try? await answer.body.json() else { return nil }
    return about.object?["grailsversion"]?.text.map { "Grails \(Self.shortened($0))" }
  }

  // MARK: Errors

  /// What an answer that is no success means.
  func failure(_ answer: HTTPAnswer, of request: HTTPRequest, id: RecordID? = nil) async -> BackendError {
    let bytes: [UInt8]
    do throws(BackendError) { bytes = try await answer.body.collect(limit: 1 << 18) } catch {
      if error.code == .cancelled { return error }
      bytes = []
    }
    let body = try? JSONReader.read(bytes)
    let effect: BackendError.Effect = request.effect != .read && answer.status >= 500 ? .unknown : .rejected
    if answer.status == 404 { return missing(body, request, id, effect) }
    let said = Self.message(in: body).map { ": \($0)" } ?? ""
    var error = BackendError(
      code(answer.status), "the server answered \(answer.status)\(said)", effect: effect, cause: request.summary)
    switch answer.status {
    case 300..<400, 405, 406, 415: error.hint = "check the backend's address and its options \(pathOption(request))"
    case 500... where effect == .unknown: error.hint = "look at the records before trying again"
    default: break
    }
    return error
  }

  /// The two meanings of 404: an error object says that the server knows no such address, anything else that there is
  /// no such record.
  private func missing(
    _ body: Value?, _ request: HTTPRequest, _ id: RecordID?, _ effect: BackendError.Effect
  ) -> BackendError {
    if let id, body?.object?["error"]?.integer == nil {
      return BackendError(.notFound, "there is no record \(id)", effect: effect, cause: request.summary)
    }
    let version = request.effect == .read ? " in version \(options.apiVersion)" : ""
    return BackendError(
      .misconfigured, "the server knows no \(request.method) of /\(request.path)\(version)", effect: effect,
      hint: "check the backend's address and its options \(pathOption(request))", cause: request.summary)
  }

  private func pathOption(_ request: HTTPRequest) -> String {
    request.effect == .read ? "readPath and apiVersion" : "writePath"
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

  /// The first message in an error object, in any of the three shapes that applications send.
  private static func message(in body: Value?) -> String? {
    guard let object = body?.object else { return nil }
    if let message = object["message"]?.text { return shortened(message) }
    let several = object["_embedded"]?.object?["errors"]?.array ?? object["errors"]?.array ?? []
    let messages = several.compactMap { $0.object?["message"]?.text }
    return messages.isEmpty ? nil : shortened(messages.joined(separator: "; "))
  }

  /// At most 200 characters: a message may repeat the whole value that it refuses.
  private static func shortened(_ text: String) -> String {
    text.count <= 200 ? text : text.prefix(199) + "…"
  }
}
