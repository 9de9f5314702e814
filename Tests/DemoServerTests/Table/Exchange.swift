import DemoServerSupport
import TestSupport
import Testing

/// One call, and what its answer shows.
struct Exchange {
  let table: Table
  /// The values of `each` and `for`.
  let own: [String: String]
  /// The values that earlier answers gave.
  var values: [String: String]
  private var answer = RawAnswer()
  private var differences: [String] = []

  private var places: Places { Places(own, then: values) }

  init(table: Table, own: [String: String], values: [String: String]) {
    self.table = table
    self.own = own
    self.values = values
  }

  /// Sends the call and holds the answer against what is expected: an issue where it is something else.
  mutating func check(_ items: [String], on server: any RunningDemo, at place: SourceLocation) async throws {
    values["base"] = server.base(table.dialect)
    let end = items.firstIndex { $0.hasPrefix("< ") } ?? items.endIndex
    let words = (items.first ?? "").split(separator: " ", maxSplits: 2)
    let method = words.isEmpty ? "" : places.filled(words[0])
    let path = words.count > 1 ? places.filled(words[1]) : ""
    let target = table.dialect.isEmpty ? path : "/\(table.dialect)\(path)"
    let body: String? = words.count > 2 ? (words[2] == "\"\"" ? "" : places.filled(words[2])) : nil
    var fields = (table.headers + items[..<end].dropFirst()).map { Self.field($0) }
    if body != nil, !fields.contains(where: { $0.0 == "Content-Type" }) { fields.append(("Content-Type", table.type)) }
    let headers = fields.map { ($0.0, places.filled($0.1)) }.filter { !$0.1.isEmpty }
    answer = try await server.send(method, target, headers: headers, bytes: body.map { Array($0.utf8) })
    if end == items.endIndex { differences.append("that something is expected") }
    if !answer.isComplete { differences.append("a whole answer") }
    for item in items[end...] { hold(item.hasPrefix("< ") ? String(item.dropFirst(2)) : item) }
    guard !differences.isEmpty else { return }
    let sent = headers.map { "\n\($0.0): \($0.1)" }.joined()
    let came = answer.headers.map { "\n\($0.name): \($0.value)" }.joined()
    let expected = differences.map { "\nexpected: \($0)" }.joined()
    let call = "\(method) \(target) \(body ?? "")\(sent)"
    Issue.record(
      "\(call)\(expected)\nanswer: \(answer.status)\(came)\n\(answer.text.prefix(2000))", sourceLocation: place)
  }

  private static func field(_ item: String) -> (String, String) {
    let name = item.prefix { $0 != ":" }
    return (String(name), item.dropFirst(name.count + 1).trimmed)
  }

  /// Notes an item that does not hold, or the value that it names.
  private mutating func hold(_ item: String) {
    let word = String(item.prefix { $0 != " " })
    let rest = item.dropFirst(word.count).trimmed
    if rest.hasPrefix(":= ") {
      let found = value(String(rest.dropFirst(3)))
      values[word] = found ?? ""
      if found == nil { differences.append(item) }
    } else if let shared = table.answers[word] {
      for item in Table.items(shared.replacing("{part}", with: rest)) { hold(item) }
    } else {
      if word.first?.isNumber == true || word.first == "{" { values["status"] = places.filled(word) }
      if !isMet(word, rest) { differences.append(places.filled(item)) }
    }
  }

  private func isMet(_ word: String, _ rest: String) -> Bool {
    if word == "=" || word == "!=" { return Places.matches(answer.text, places.pieces(rest)) == (word == "=") }
    if word == "not" { return rest == "JSON" && (try? answer.json()) == nil }
    if word.first == "." { return isMet(path: word, rest) }
    guard word.last == ":" else { return rest.isEmpty && places.filled(word) == String(answer.status) }
    let value = answer.header(String(word.dropLast()))
    let pieces = rest == "\"\"" ? [""] : places.pieces(rest)
    if rest != "\"\"", pieces == [""] { return value == nil }
    return value.map { Places.matches($0, pieces) } ?? false
  }

  private func isMet(path: String, _ rest: String) -> Bool {
    let found = JSONText.values(at: path, in: answer)
    let word = rest.prefix { $0 != " " }
    let argument = rest.dropFirst(word.count).trimmed
    if word == "none" { return found.isEmpty }
    let each: (Any) -> Bool
    switch word {
    case "string": each = { $0 is String }
    case "list": each = { $0 is [Any] }
    case "object": each = { $0 is [String: Any] }
    case "keys":
      let keys = Set(argument.split(separator: " ").map(String.init))
      each = { value in (value as? [String: Any]).map { Set($0.keys) == keys } ?? false }
    case "=", "!=":
      let pieces = places.pieces(argument)
      each = { Places.matches(JSONText.text($0), pieces) == (word == "=") }
    case _ where rest.hasPrefix("/"):
      guard let expression = try? Regex(String(rest.dropFirst().dropLast())) else { return false }
      each = { JSONText.text($0).wholeMatch(of: expression) != nil }
    default:
      let whole: [Any] = path.contains("*") ? [found] : found
      return whole.first.map { JSONText.isEqual($0, places.filled(rest)) } ?? false
    }
    return !found.isEmpty && found.allSatisfy(each)
  }

  /// The text at a place of the answer.
  private func value(_ place: String) -> String? {
    if place == "body" { return answer.text }
    if place.first != "." { return answer.header(place) }
    return JSONText.values(at: place, in: answer).first.map { JSONText.text($0) }
  }
}
