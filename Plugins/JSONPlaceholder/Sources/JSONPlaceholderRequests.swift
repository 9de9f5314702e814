import BackendKit

/// The stretch of a list that one request asks for.
struct Window: Sendable {
  /// How many records lie before it.
  var start: Int
  /// How many records it has; nil for all the rest.
  var size: Int?
  /// How many of its records were taken before and are not handed on again.
  var used = 0

  /// The stretch that a query and a page mark name.
  init(_ query: ListQuery, at cursor: Cursor?, options: JSONPlaceholderOptions) throws(BackendError) {
    size = query.pageSize ?? options.standardPageSize
    if let size, size < 1 { throw .invalid("a page must have at least one record") }
    guard let cursor else {
      guard query.skip >= 0 else { throw .invalid("no negative number of records can be skipped") }
      start = query.skip
      return
    }
    let parts = cursor.text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (1...2).contains(parts.count), parts.allSatisfy({ $0 >= 0 }) else {
      throw .invalid("\"\(cursor)\" is no page mark of this backend", hint: "list again from the beginning")
    }
    start = parts[0]
    used = parts.count == 2 ? parts[1] : 0
  }
}

/// Builds the requests. Every address is made of the configured base and encoded segments, never of an answer's links.
struct JSONPlaceholderRequests: Sendable {
  let options: JSONPlaceholderOptions

  /// Asks for a stretch of a collection. The page comes first in the query: the server's links go wrong otherwise.
  func list(
    _ place: Place, window: Window, parameters: [(String, String)], native: String?
  ) throws(BackendError) -> HTTPRequest {
    var segments = [place.collection.name]
    if let owner = place.owner { segments = [owner.collection, owner.id.text] + segments }
    var query = paging(window) + parameters
    if let native { query += try self.native(native) }
    return HTTPRequest(
      "GET", try RequestPath(segments: segments), query: query, headers: Self.accept, effect: .read)
  }

  private func paging(_ window: Window) -> [(String, String)] {
    guard let size = window.size else {
      // `_start` alone is ignored, so an end beyond every list goes with it.
      return window.start == 0 ? [] : [("_start", "\(window.start)"), ("_end", "\(1 << 53 - 1)")]
    }
    if options.version == .one { return [("_page", "\(window.start / size + 1)"), ("_per_page", "\(size)")] }
    if window.start.isMultiple(of: size) { return [("_page", "\(window.start / size + 1)"), ("_limit", "\(size)")] }
    return [("_start", "\(window.start)"), ("_end", "\(window.start + size)")]
  }

  /// Parameters in the server's own language, `title_like=^a&_expand=user`, taken as they stand.
  private func native(_ text: String) throws(BackendError) -> [(String, String)] {
    var pairs: [(String, String)] = []
    for part in text.split(separator: "&") {
      let name = String(part.prefix { $0 != "=" })
      guard !["_page", "_limit", "_per_page", "_start", "_end", "callback"].contains(name) else {
        throw .invalid("\(name) cannot be given as a native query", hint: "pages are asked for by the console")
      }
      pairs.append((name, String(part.dropFirst(name.count + 1))))
    }
    return pairs
  }

  /// Asks for one record; `fresh` asks caches on the way to look again.
  func get(_ collection: String, _ id: RecordID, fresh: Bool = false) throws(BackendError) -> HTTPRequest {
    let headers = Self.accept + (fresh ? [("Cache-Control", "no-cache")] : [])
    return HTTPRequest("GET", try RequestPath(collection, id.text), headers: headers, effect: .read)
  }

  /// Makes a record. The server names it: an identifier sent along is an error where it is taken.
  func create(_ collection: String, _ fields: Object) throws(BackendError) -> HTTPRequest {
    write("POST", try RequestPath(collection), fields, effect: .write)
  }

  /// Changes some fields. Safe to repeat: the server merges the values that it is sent, and compares no revision.
  func patch(_ collection: String, _ id: RecordID, _ fields: Object) throws(BackendError) -> HTTPRequest {
    write("PATCH", try RequestPath(collection, id.text), fields, effect: .repeatableWrite)
  }

  /// Replaces the whole record. Safe to repeat: it leaves the record as it is sent.
  func replace(_ collection: String, _ id: RecordID, _ fields: Object) throws(BackendError) -> HTTPRequest {
    write("PUT", try RequestPath(collection, id.text), fields, effect: .repeatableWrite)
  }

  /// Deletes a record. Not safe to repeat: the next record made may have been given the same identifier.
  func delete(_ collection: String, _ id: RecordID) throws(BackendError) -> HTTPRequest {
    HTTPRequest("DELETE", try RequestPath(collection, id.text), headers: Self.accept, effect: .write)
  }

  private static let accept = [("Accept", "application/json")]

  /// A write always says that its body is JSON: any other body is ignored, and the call still succeeds.
  private func write(_ method: String, _ path: RequestPath, _ fields: Object, effect: EffectMark) -> HTTPRequest {
    var body: [UInt8] = []
    JSONWriter.write(.object(fields), to: &body)
    return HTTPRequest(
      method, path, headers: Self.accept + [("Content-Type", "application/json")], body: body, effect: effect)
  }
}
