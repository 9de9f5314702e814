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
      throw .answeredWith(record.id)
    }
    return record
  }

  /// The product and its version in the server's words about itself, or nil where it tells none.
  func product(in answer: HTTPAnswer) async -> String? {
    guard answer.isSuccess, let about = try? await answer.body.json() else { return nil }
    return about.object?["grailsversion"]?.text.flatMap { BackendError.quoted($0) }.map { "Grails \($0)" }
  }

  // MARK: Errors

  /// What an answer that is no success means.
  func failure(_ answer: HTTPAnswer, of request: HTTPRequest, id: RecordID? = nil) async -> BackendError {
    let bytes: [UInt8]
    do throws(BackendError) { bytes = try await answer.explanation() } catch { return error }
    let body = try? JSONReader.read(bytes)
    let subject = id.map { "record \($0)" } ?? "such record"
    var error = answer.failure(of: request, subject, saying: Self.message(in: body) ?? answer.words(in: bytes))
    if answer.status == 404, let id, bytes.isEmpty {
      error.message = "there is no record \(id)"
    } else if answer.status == 404 {
      // Of a record that is not there the server says nothing; words come from an address that it does not know.
      let version = request.effect == .read ? " in version \(options.apiVersion)" : ""
      error.code = .misconfigured
      error.message = "the server knows no \(request.method) of /\(request.path)\(version)"
    }
    if error.code == .misconfigured {
      error.hint = "check the backend's address and its options \(pathOption(request))"
    }
    return error
  }

  private func pathOption(_ request: HTTPRequest) -> String {
    request.effect == .read ? "readPath and apiVersion" : "writePath"
  }

  /// The first message in an error object, in any of the three shapes that applications send.
  private static func message(in body: Value?) -> String? {
    guard let object = body?.object else { return nil }
    if let message = object["message"]?.text { return message }
    let several = object["_embedded"]?.object?["errors"]?.array ?? object["errors"]?.array ?? []
    let messages = several.compactMap { $0.object?["message"]?.text }
    return messages.isEmpty ? nil : messages.joined(separator: "; ")
  }
}
