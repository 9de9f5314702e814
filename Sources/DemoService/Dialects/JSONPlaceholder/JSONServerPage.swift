/// The requested slice of a list, with its headers.
struct JSONServerPage {
  /// The indices of the shown records.
  private(set) var range: Range<Int>
  private(set) var headers: [(name: String, value: String)] = []

  init(_ form: JSONServerParameters, of count: Int, address: String) {
    range = 0..<count
    func given(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
    let page = given("_page")
    let end = given("_end")
    let limit = given("_limit")
    guard page != nil || end != nil || limit != nil else { return }
    headers = [
      ("X-Total-Count", String(count)),
      ("Access-Control-Expose-Headers", page == nil ? "X-Total-Count" : "X-Total-Count, Link"),
    ]
    let start = given("_start").flatMap(Self.integer) ?? 0
    if let page {
      let number = Self.integer(page).map { max($0, 1) } ?? 1
      let size = limit.flatMap(Self.integer).flatMap { $0 == 0 ? nil : $0 } ?? 10
      range = Self.slice(count, (number - 1) * size, number * size)
      headers.append(("Link", Self.links(number, size, shown: range.count, of: count, address)))
    } else if let end {
      range = Self.slice(count, start, Self.integer(end) ?? 0)
    } else if let limit {
      range = Self.integer(limit).map { Self.slice(count, start, start + $0) } ?? 0..<0
    }
  }

  /// The leading whole number of a text, as JavaScript reads it.
  static func integer(_ text: String) -> Int? {
    let trimmed = text.drop { $0 == " " }
    let sign = trimmed.first == "-" || trimmed.first == "+" ? String(trimmed.prefix(1)) : ""
    let digits = trimmed.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }.prefix(15)
    // Larger numbers are beyond every list anyway, and the product of two such fits.
    return Int((sign == "-" ? "-" : "") + digits).map { min(max($0, -limit), limit) }
  }

  private static let limit = 1_000_000_000

  /// JavaScript's slice: negative indices count from the end.
  private static func slice(_ count: Int, _ start: Int, _ end: Int) -> Range<Int> {
    func place(_ index: Int) -> Int { index < 0 ? max(0, count + index) : min(index, count) }
    return place(start)..<max(place(start), place(end))
  }

  /// Only the first "page=N" of the address is replaced, whatever its parameter.
  private static func links(_ page: Int, _ size: Int, shown: Int, of count: Int, _ address: String) -> String {
    guard shown > 0, shown != count else { return "" }
    func link(_ number: Int, _ relation: String) -> String {
      let wanted = "page=\(page)"
      var text = address
      if let range = text.firstRange(of: wanted) { text.replaceSubrange(range, with: "page=\(number)") }
      return "<\(text)>; rel=\"\(relation)\""
    }
    var links = [link(1, "first")]
    if page > 1 { links.append(link(page - 1, "prev")) }
    if page * size < count { links.append(link(page + 1, "next")) }
    links.append(link(Int((Double(count) / Double(size)).rounded(.up)), "last"))
    return links.joined(separator: ", ")
  }
}
