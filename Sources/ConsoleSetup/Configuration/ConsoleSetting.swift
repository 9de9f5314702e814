import BackendKit
import ConsoleOutput
import ConsoleSystem

/// A setting of the console as the configuration knows it.
package struct ConsoleSetting: Sendable {
  /// Each takes a connection, of which servers and the console have few.
  package static let mostJobs = 64
  /// The product of two counts, such as a page and its size, is a number still.
  package static let mostCounted = Int(Int32.max)

  /// The type of its value.
  enum Kind: Sendable {
    case choice([String])
    /// A whole number in these bounds.
    case count(ClosedRange<Int>)
    case text
  }

  let name: String
  let kind: Kind

  /// All of them; the same names that `set` takes.
  static let all =
    [
      ConsoleSetting(name: "output", kind: .choice(OutputFormat.allCases.map(\.rawValue) + ["auto"])),
      ConsoleSetting(name: "perPage", kind: .count(1...mostCounted)),
      ConsoleSetting(name: "maxScan", kind: .count(0...mostCounted)),
      ConsoleSetting(name: "prompt", kind: .text),
      ConsoleSetting(name: "readAhead", kind: .count(0...mostJobs)),
      ConsoleSetting(name: "onError", kind: .choice(["stop", "continue"])),
      ConsoleSetting(name: "strict", kind: .choice(["on", "off"])),
      ConsoleSetting(name: "errors", kind: .choice(ErrorForm.allCases.map(\.rawValue))),
    ]
    // A configuration names no command to run.
    + DisplaySettings.choices.map { ConsoleSetting(name: $0.name, kind: .choice($0.words)) }

  /// Returns the problem with a value and the valid values, or nil.
  func problem(of value: Value) -> (message: String, hint: String)? {
    switch kind {
    case .count(let bounds):
      guard let count = value.integer, count >= bounds.lowerBound else {
        return ("expected a whole number of at least \(bounds.lowerBound)", "write a number without quotes")
      }
      return count <= bounds.upperBound ? nil : ("\(count) is out of range", "it is at most \(bounds.upperBound)")
    case .text:
      return value.text == nil ? ("expected text, not \(value.kindWithArticle)", "put it in quotes") : nil
    case .choice(let words):
      if let word = value.text, words.contains(word) { return nil }
      let nearest = value.text.flatMap { SpellingSuggestion.suggestion(for: $0, among: words) }
      return (
        value.text.map { "\"\($0)\" is not one of the choices" } ?? "expected text, not \(value.kindWithArticle)",
        nearest.map { "did you mean \($0)?" } ?? "choices: \(words.joined(separator: ", "))"
      )
    }
  }
}
