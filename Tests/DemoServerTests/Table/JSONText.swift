import Foundation
import TestSupport

/// JSON values of answers, compared as text in one spelling.
enum JSONText {
  /// The values at a path such as `.item.*.id`.
  static func values(at path: String, in answer: RawAnswer) -> [Any] {
    guard let root = try? answer.json() else { return [] }
    return path.split(separator: ".").reduce([root]) { found, part in
      found.flatMap { value -> [Any] in
        if let object = value as? [String: Any] { return object[String(part)].map { [$0] } ?? [] }
        guard let list = value as? [Any] else { return [] }
        if part == "*" { return list }
        guard let index = Int(part) else { return [] }
        let place = index < 0 ? list.count + index : index
        return list.indices.contains(place) ? [list[place]] : []
      }
    }
  }

  /// The text of a string, and the JSON of any other value.
  static func text(_ value: Any) -> String { value as? String ?? json(value) }

  /// Holds a value against JSON, a count or a range of numbers.
  static func isEqual(_ value: Any, _ expected: String) -> Bool {
    if expected.hasPrefix("#") {
      let count = (value as? [Any])?.count ?? (value as? [String: Any])?.count
      return count.map(String.init) == String(expected.dropFirst())
    }
    let ends = expected.split(separator: "..").compactMap { Int($0) }
    if ends.count == 2, expected == "\(ends[0])..\(ends[1])" {
      let numbers: [Int] = ends[0] <= ends[1] ? Array(ends[0]...ends[1]) : (ends[1]...ends[0]).reversed()
      return json(value) == json(numbers)
    }
    let parsed = try? JSONSerialization.jsonObject(with: Data(expected.utf8), options: .fragmentsAllowed)
    return parsed.map { json($0) == json(value) } ?? false
  }

  private static func json(_ value: Any) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
    let data = try? JSONSerialization.data(withJSONObject: value, options: options)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "no JSON"
  }
}
