import DemoServerSupport
import Foundation
import Testing

/// One call of a row, and the differences between its answer and what is expected.
struct Exchange {
  let step: Row.Step
  let table: Table
  private var values: [String: String] = [:]
  private var answer = RawAnswer()
  private var differences: [String] = []

  private var places: Places { Places(step.values, then: values) }

  init(step: Row.Step, table: Table) {
    self.step = step
    self.table = table
  }

  /// Sends the call, holds the answer against what is expected, and adds the values that are named there.
  func check(on server: any Answering, _ values: inout [String: String]) async throws {
    var exchange = self
    exchange.values = values.merging(["base": server.base(table.dialect)]) { $1 }
    let items = Table.items(step.text)
    let end = items.firstIndex { $0.hasPrefix("< ") } ?? items.endIndex
    let call = items[..<end].first ?? ""
    let words = call.split(separator: " ", maxSplits: 2)
    let places = exchange.places
    let body = words.count > 2 ? (words[2] == "\"\"" ? "" : places.filled(words[2])) : nil
    let target = table.base + (words.count > 1 ? places.filled(words[1]) : "")
    var fields = (table.headers + items[..<end].dropFirst()).map { Self.field($0) }
    if body != nil, !fields.contains(where: { $0.0 == "Content-Type" }) { fields.append(("Content-Type", table.type)) }
    let headers = fields.map { ($0.0, places.filled($0.1)) }.filter { !$0.1.isEmpty }
    let method = places.filled(words.first ?? "")
    exchange.answer = try await server.send(method, target, headers: headers, bytes: body.map { Array($0.utf8) })
    if end == items.endIndex { exchange.differences.append("nothing is expected") }
    if !exchange.answer.isComplete { exchange.differences.append("the answer is cut") }
    for item in items[end...] { exchange.hold(item.hasPrefix("< ") ? String(item.dropFirst(2)) : item) }
    if !exchange.differences.isEmpty {
      let sent = "\(method) \(target) \(body ?? "")\n" + headers.map { "\($0.0): \($0.1)\n" }.joined()
      Issue.record("\(sent)\(exchange.report)", sourceLocation: step.place)
    }
    values.merge(exchange.values) { $1 }
  }

  private static func field(_ item: String) -> (String, String) {
    let name = item.prefix { $0 != ":" }
    return (String(name), item.dropFirst(name.count + 1).trimmed)
  }

  private var report: String {
    let headers = answer.headers.map { "\($0.name): \($0.value)\n" }.joined()
    let expected = differences.map { "not as expected: \($0)\n" }.joined()
    return "\(expected)answer: \(answer.status)\n\(headers)\n\(answer.text.prefix(2000))"
  }

  // MARK: What is expected

  private mutating func hold(_ item: String) {
    let word = item.prefix { $0 != " " }
    let rest = item.dropFirst(word.count).trimmed
    if item.contains(" := ") {
      name(item)
    } else if let shape = table.answers[String(word)] {
      values["part"] = places.filled(rest)
      for item in Table.items(shape) { hold(item) }
    } else if !isMet(String(word), rest) {
      differences.append(places.filled(item))
    }
  }

  private mutating func isMet(_ word: String, _ rest: String) -> Bool {
    if word == "=" || word == "!=" { return Places.matches(answer.text, places.pieces(rest)) == (word == "=") }
    if word == "not" { return rest == "JSON" && (try? answer.json()) == nil }
    if word.first == "." { return isMet(path: word, rest) }
    if word.last == ":" {
      let value = answer.header(String(word.dropLast()))
      let pieces = rest == "\"\"" ? [""] : places.pieces(rest)
      return rest != "\"\"" && pieces == [""] ? value == nil : value.map { Places.matches($0, pieces) } ?? false
    }
    values["status"] = places.filled(word)
    return rest.isEmpty && values["status"] == String(answer.status)
  }

  private func isMet(path: String, _ rest: String) -> Bool {
    let found = found(path)
    let word = rest.prefix { $0 != " " }
    let argument = rest.dropFirst(word.count).trimmed
    let texts = found.map { $0 as? String ?? Self.text($0) }
    switch word {
    case "none": return found.isEmpty
    case "string": return !found.isEmpty && found.allSatisfy { $0 is String }
    case "list": return !found.isEmpty && found.allSatisfy { $0 is [Any] }
    case "object": return !found.isEmpty && found.allSatisfy { $0 is [String: Any] }
    case "keys":
      let keys = Set(argument.split(separator: " ").map(String.init))
      return !found.isEmpty && found.allSatisfy { ($0 as? [String: Any]).map { Set($0.keys) == keys } ?? false }
    case "=": return !texts.isEmpty && texts.allSatisfy { Places.matches($0, places.pieces(argument)) }
    case "!=": return !texts.isEmpty && texts.allSatisfy { !Places.matches($0, places.pieces(argument)) }
    case _ where rest.first == "/" && rest.last == "/" && rest.count > 1:
      guard let expression = try? Regex(String(rest.dropFirst().dropLast())) else { return false }
      return !texts.isEmpty && texts.allSatisfy { $0.wholeMatch(of: expression) != nil }
    default: break
    }
    let spelled = places.filled(rest)
    let isList = path.contains("*")
    if spelled.first == "#" {
      let single = found.first.map { ($0 as? [Any])?.count ?? ($0 as? [String: Any])?.count ?? -1 } ?? -1
      return String(isList ? found.count : single) == spelled.dropFirst()
    }
    let values: [Any] = isList ? [found] : found
    guard let value = values.first else { return false }
    return Self.text(value) == Self.expected(spelled)
  }

  // MARK: Values

  /// Keeps a value of the answer under a name.
  private mutating func name(_ item: String) {
    let words = item.split(separator: " ")
    let place = String(words[words.count - 1])
    var text: String?
    if place == "body" {
      text = answer.text
    } else if place.first == "." {
      let found = found(place)
      text = place.contains("*") ? Self.text(found) : found.first.map { $0 as? String ?? Self.text($0) }
    } else {
      text = answer.header(place)
    }
    if text == nil { differences.append(item) }
    values[String(words[0])] = text ?? ""
  }

  /// The JSON values at a path.
  private func found(_ path: String) -> [Any] {
    guard let root = try? answer.json() else { return [] }
    var found: [Any] = [root]
    for part in path.split(separator: ".") {
      found = found.flatMap { value -> [Any] in
        if let object = value as? [String: Any] { return object[String(part)].map { [$0] } ?? [] }
        guard let list = value as? [Any] else { return [] }
        if part == "*" { return list }
        guard let index = Int(part) else { return [] }
        let place = index < 0 ? list.count + index : index
        return list.indices.contains(place) ? [list[place]] : []
      }
    }
    return found
  }

  /// A JSON value in one spelling.
  private static func text(_ value: Any) -> String {
    guard let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    else { return "no JSON" }
    return String(decoding: data, as: UTF8.self)
  }

  /// What the table says about a value, in that spelling.
  private static func expected(_ text: String) -> String {
    let ends = text.split(separator: "..").compactMap { Int($0) }
    if ends.count == 2, text == "\(ends[0])..\(ends[1])" {
      let numbers: [Int] = ends[0] <= ends[1] ? Array(ends[0]...ends[1]) : (ends[1]...ends[0]).reversed()
      return Self.text(numbers)
    }
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    return value.map { Self.text($0) } ?? "no JSON is expected: \(text)"
  }
}
