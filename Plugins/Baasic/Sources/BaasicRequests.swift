import BackendKit

/// A page of a list: its number, counted from 1, and its size as asked for.
struct Page: Sendable {
  /// The number.
  var number: Int
  /// How many records were asked for.
  var size: Int
  /// How many of its records were taken before and are not handed on again.
  var used = 0

  /// The page that a query and a page mark name.
  init(_ query: ListQuery, at cursor: Cursor?, options: BaasicOptions) throws(BackendError) {
    size = query.pageSize ?? BaasicOptions.standardPageSize
    guard size >= 1, query.skip >= 0 else { throw .invalid("a page must have at least one record") }
    number = query.skip / size + 1
    guard let cursor else { return }
    let parts = cursor.text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard parts.count == 3, parts[0] >= 1, parts[1] >= 1, parts[2] >= 0 else {
      throw .invalid("\"\(cursor)\" is no page mark of this backend", hint: "list again from the beginning")
    }
    number = parts[0]
    size = parts[1]
    used = parts[2]
  }

  /// The mark of the page after this.
  var next: Cursor { Cursor("\(number + 1)/\(size)/0") }

  /// The mark of the rest of this page after so many of its records.
  func rest(after count: Int) -> Cursor { Cursor("\(number)/\(size)/\(count)") }
}

/// Builds the requests. Every address is made of the configured base and encoded segments, never of a link; neither
/// `purge` nor `batch` nor a condition on a write can come out of it.
struct BaasicRequests: Sendable {
  let options: BaasicOptions

  /// Asks for a page; sort and query are the same on every one.
  func find(_ place: Place, page: Page, plan: BaasicPlan) throws(BackendError) -> HTTPRequest {
    var query = [("page", "\(page.number)"), ("rpp", "\(page.size)")]
    if let order = plan.order { query.append(("sort", order)) }
    if let searchQuery = plan.searchQuery { query.append(("searchQuery", searchQuery)) }
    if let projection = plan.projection { query.append(("fields", projection.joined(separator: ","))) }
    if let embed = options.embed { query.append(("embed", embed)) }
    return HTTPRequest("GET", try path(place), query: query, headers: Self.accept, effect: .read)
  }

  /// Asks for one record. To be sent back it must come `bare`, without what is embedded.
  func get(_ place: Place, _ id: RecordID, bare: Bool = false) throws(BackendError) -> HTTPRequest {
    let query = options.embed.flatMap { bare ? nil : [("embed", $0)] } ?? []
    return HTTPRequest("GET", try path(place, id), query: query, headers: Self.accept, effect: .read)
  }

  /// Makes a record.
  func insert(_ place: Place, _ fields: Object) throws(BackendError) -> HTTPRequest {
    write("POST", try path(place), fields, effect: .write)
  }

  /// Changes some fields. Safe to repeat: the service documents that it sets the fields that it is sent, and no revision.
  func patch(_ place: Place, _ id: RecordID, _ fields: Object) throws(BackendError) -> HTTPRequest {
    write("PATCH", try path(place, id), fields, effect: .repeatableWrite)
  }

  /// Replaces the whole record. Safe to repeat: it leaves the record as it is sent.
  func replace(_ place: Place, _ id: RecordID, _ fields: Object) throws(BackendError) -> HTTPRequest {
    write("PUT", try path(place, id), fields, effect: .repeatableWrite)
  }

  /// Deletes a record. Not repeated: the answer to a second one could not tell "done" from "never there".
  func delete(_ place: Place, _ id: RecordID) throws(BackendError) -> HTTPRequest {
    HTTPRequest("DELETE", try path(place, id), headers: Self.accept, effect: .write)
  }

  private func path(_ place: Place, _ id: RecordID? = nil) throws(BackendError) -> RequestPath {
    var segments = place == .schemas ? ["schemas"] : ["resources", place.name]
    if let id {
      // On the real server these are no records: DELETE …/purge empties the resource.
      let word = id.text.lowercased().filter { !" ./\\\t".contains($0) }
      guard word != "purge", word != "batch" else { throw .invalid("\"\(id)\" cannot be an identifier") }
      segments.append(id.text)
    }
    return try RequestPath(segments: segments)
  }

  // Plain JSON is asked for: what the hypertext form adds would only have to be taken off again.
  private static let accept = [("Accept", "application/json")]

  private func write(_ method: String, _ path: RequestPath, _ fields: Object, effect: EffectMark) -> HTTPRequest {
    var body: [UInt8] = []
    JSONWriter.write(.object(fields), to: &body)
    return HTTPRequest(
      method, path, headers: Self.accept + [("Content-Type", "application/json; charset=UTF-8")], body: body,
      effect: effect)
  }
}
