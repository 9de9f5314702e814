import BackendKit

/// Builds the requests, always below the configured address: the one that records carry names another host.
struct KituraRequests: Sendable {
  private static let common = [("Accept", "application/json")]

  let options: KituraOptions

  /// What the server says of itself.
  func about() -> HTTPRequest { HTTPRequest("GET", options.healthPath, headers: Self.common, effect: .read) }

  /// All records.
  func list() -> HTTPRequest { HTTPRequest("GET", .base, headers: Self.common, effect: .read) }

  /// One record.
  func get(_ id: RecordID) throws(BackendError) -> HTTPRequest {
    HTTPRequest("GET", try path(id), headers: Self.common, effect: .read)
  }

  /// A new record.
  func create(_ write: KituraWrite) -> HTTPRequest {
    HTTPRequest("POST", .base, headers: writing, body: write.bytes, effect: .write)
  }

  /// Some fields of a record. Safe to repeat: the server sets the values that it is sent, and nothing counts how often.
  func update(_ id: RecordID, _ write: KituraWrite) throws(BackendError) -> HTTPRequest {
    HTTPRequest("PATCH", try path(id), headers: writing, body: write.bytes, effect: .repeatableWrite)
  }

  /// All fields of a record: what is left out is cleared. Safe to repeat: it leaves the record as it is sent.
  func replace(_ id: RecordID, _ write: KituraWrite) throws(BackendError) -> HTTPRequest {
    HTTPRequest("PUT", try path(id), headers: writing, body: write.bytes, effect: .repeatableWrite)
  }

  /// The end of a record. Not safe to repeat: variants give a new record the identifier of the one deleted last.
  func delete(_ id: RecordID) throws(BackendError) -> HTTPRequest {
    let path = try path(id)
    // One segment and nothing else: with an empty one or a doubled slash the server deletes every record.
    guard path.segments == [id.text], path.description == id.text else {
      throw .invalid("\"\(id)\" makes no path of one record")
    }
    return HTTPRequest("DELETE", path, headers: Self.common, effect: .write)
  }

  /// The end of every record. Not safe to repeat: others may have made records meanwhile.
  func deleteAll() -> HTTPRequest { HTTPRequest("DELETE", .base, headers: Self.common, effect: .write) }

  // One release of the server compares the whole value: a charset after it is refused.
  private var writing: [(String, String)] { Self.common + [("Content-Type", "application/json")] }

  private func path(_ id: RecordID) throws(BackendError) -> RequestPath {
    if let complaint = KituraResources.identifier.complaint(about: id.text) {
      throw .invalid(complaint)
    }
    return try RequestPath(id.text)
  }
}
