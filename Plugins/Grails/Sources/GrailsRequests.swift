import BackendKit

/// Builds the requests: reads go to one path and name a version, writes go to another and need none.
struct GrailsRequests: Sendable {
  // Any other type reaches another renderer or status 406. Messages are shown, so they are asked for in English.
  private static let common = [("Accept", "application/json"), ("Accept-Language", "en")]

  let options: GrailsOptions

  /// What the server says of itself.
  func about() -> HTTPRequest { HTTPRequest("GET", .base, headers: Self.common, effect: .read) }

  /// One page of the list.
  func list(_ page: GrailsPage) -> HTTPRequest {
    let query = [
      ("max", String(page.max)), ("offset", String(page.offset)), ("sort", page.sort.path.text),
      ("order", page.sort.isDescending ? "desc" : "asc"),
    ]
    return HTTPRequest("GET", options.readPath, query: query, headers: reading, effect: .read)
  }

  /// One record.
  func get(_ id: RecordID) throws(BackendError) -> HTTPRequest {
    HTTPRequest("GET", try path(options.readPath, id), headers: reading, effect: .read)
  }

  /// A new record.
  func create(_ write: GrailsWrite) -> HTTPRequest {
    HTTPRequest("POST", options.writePath, headers: writing, body: write.bytes, effect: .write)
  }

  /// Some fields of a record: what is left out stays as it is, whatever the method. Safe to
  /// repeat: the server sets the values that it is sent, and compares no revision.
  func update(_ id: RecordID, _ write: GrailsWrite) throws(BackendError) -> HTTPRequest {
    HTTPRequest(
      "PUT", try path(options.writePath, id), headers: writing, body: write.bytes, effect: .repeatableWrite)
  }

  /// The end of a record. Not repeated: the answer to a second one could not tell "done" from "never there".
  func delete(_ id: RecordID) throws(BackendError) -> HTTPRequest {
    HTTPRequest("DELETE", try path(options.writePath, id), headers: Self.common, effect: .write)
  }

  private var reading: [(String, String)] { Self.common + [("Accept-Version", options.apiVersion)] }

  private var writing: [(String, String)] { Self.common + [("Content-Type", "application/json")] }

  private func path(_ base: RequestPath, _ id: RecordID) throws(BackendError) -> RequestPath {
    if let complaint = GrailsResources.identifier.complaint(about: id.text) {
      throw .invalid(complaint)
    }
    return try RequestPath(segments: base.segments + [id.text])
  }
}
