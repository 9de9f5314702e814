/// Signs that a list which is not described as whole continues behind a response.
///
/// Services have many names for totals and next pages, so any possible one counts: a false sign leaves a list untested,
/// a missed one loses records.
struct MoreSigns {
  /// The number of records in the response.
  let count: Int
  /// True if lists are described as whole: the number of records is then not a sign.
  var isSaidWhole = false

  /// Returns whether a response has signs besides its records, which are at one of these places.
  func areIn(_ document: Value?, _ answer: HTTPResponse, besides places: [[String]]) -> Bool {
    if !isSaidWhole && EndProof.isUsualPage(count) || answer.link("next") != nil { return true }
    if isMore(answer.header("Content-Range")?.split(separator: "/").last.map { .string(String($0)) }) { return true }
    for (header, text) in answer.headers {
      let name = Self.plain(header)
      if let document = try? JSONReader.read(Array(text.utf8)), document.object != nil {
        if isIn(document, besides: nil) { return true }
      } else if ["total", "next", "more", "pages"].contains(where: { name.contains(text: $0) }) {
        if isSign(name, Bool(text.lowercased()).map { .bool($0) } ?? .string(text)) { return true }
      }
    }
    guard let document else { return false }
    return isIn(document, besides: places.first { document.at(any: $0) != nil })
  }

  private func isIn(_ value: Value, besides place: [String]?, at path: [String] = []) -> Bool {
    guard path.count <= Self.depth, place.map({ !Self.leads($0, to: path) }) ?? true else { return false }
    for (name, value) in value.object?.members.map({ $0 }) ?? [] {
      let inner = path + [name]
      if place.map({ !Self.leads($0.prefix(inner.count), to: inner) }) ?? true, isSign(Self.plain(name), value) {
        return true
      }
      if isIn(value, besides: place, at: inner) { return true }
    }
    // Links in a list, each with its relation.
    return value.array?.contains { link in
      ["rel", "relation"].contains { link.object?[$0]?.text?.lowercased() == "next" }
    } ?? false
  }

  /// Returns whether a member or header field, by its lowercase name and its value, means that records follow.
  private func isSign(_ name: String, _ value: Value) -> Bool {
    func has(_ parts: [String]) -> Bool { parts.contains { name.contains(text: $0) } }
    guard !has(Self.unrelated) else { return false }
    if let flag = value.bool {
      if flag { return has(["more", "next", "truncated", "partial", "incomplete"]) }
      return has(["last"]) || ["done", "complete", "iscomplete", "finished"].contains(name)
    }
    if has(["pages", "pagecount", "lastpage"]) { return Self.number(value).map { $0 > 1 } ?? false }
    if has(["limit", "perpage", "pagesize"]) { return count > 0 && Self.number(value) == count }
    if has(["next", "cursor", "marker", "continu", "scroll"]) {
      return !has(["prev", "start", "first"]) && Self.namesPage(value)
    }
    return (has(["total", "count", "found", "matched", "filtered", "remaining"]) || Self.counted.contains(name))
      && isMore(value)
  }

  private func isMore(_ value: Value?) -> Bool { value.flatMap(Self.number).map { $0 > count } ?? false }

  /// Returns whether a value can name a next page.
  private static func namesPage(_ value: Value) -> Bool {
    switch value {
    case .null, .bool: false
    case .string(let text): !text.isEmpty && text != "0"
    case .number(let number): number.text != "0"
    case .array(let values): values.contains(where: namesPage)
    case .object(let object): object.members.contains { namesPage($0.1) }
    }
  }

  private static func number(_ value: Value) -> Int? { value.integer ?? value.text.flatMap { Int($0) } }

  /// The letters of a name in lowercase: `nextpage` of `nextPage`, `next_page` and `Next-Page`.
  private static func plain(_ name: String) -> String { name.filter(\.isLetter).lowercased() }

  private static func leads(_ place: some Collection<String>, to path: [String]) -> Bool {
    place.count == path.count && zip(place, path).allSatisfy { $0 == $1 || $0 == "*" }
  }

  /// Words for records that also name totals.
  private static let counted = ["hits", "items", "results", "records", "rows", "entries", "elements"]
  /// Parts of names of numbers that do not count records.
  private static let unrelated = [
    "ratelimit", "account", "discount", "time", "took", "duration", "bytes", "version", "status",
  ]
  private static let depth = 4
}
