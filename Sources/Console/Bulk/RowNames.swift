import BackendKit

/// The rows that a command did not reach, in words: up to ten by name, of more the ranges of consecutive ones.
struct RowNames {
  /// The most names and ranges in a message, and the most rows that are looked at for it.
  private static let (most, examined) = (10, 10_000)

  private let rows: [Int]
  private let name: (Int) -> String

  init(_ rows: [Int], naming name: @escaping (Int) -> String) { (self.rows, self.name) = (rows, name) }

  /// The words, for example `2, 3`, or `rows.csv:4–303 and 20 more`.
  var words: String {
    let names = rows.count <= Self.most ? rows.map { (text: name($0), count: 1) } : ranges
    let shown = names.prefix(Self.most)
    let rest = rows.count - shown.reduce(0) { $0 + $1.count }
    return shown.map(\.text).joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : "")
  }

  private var ranges: [(text: String, count: Int)] {
    var ranges: [(text: String, count: Int)] = []
    var first = "", last: (head: Substring, number: Int)?
    for row in rows.prefix(Self.examined) {
      let name = name(row)
      let parts = Self.parts(of: name)
      if let parts, let before = last, parts.head == before.head, parts.number == before.number + 1 {
        ranges[ranges.count - 1].text = "\(first)–\(parts.number)"
        ranges[ranges.count - 1].count += 1
      } else {
        first = name
        ranges.append((name, 1))
      }
      last = parts
    }
    return ranges
  }

  /// The number at the end of a name, and the text before it.
  private static func parts(of name: String) -> (head: Substring, number: Int)? {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    return Int(name.suffix(digits)).map { (name.dropLast(digits), $0) }
  }
}
