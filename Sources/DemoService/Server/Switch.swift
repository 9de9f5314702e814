/// A named setting of the server's behavior: given at start with `--set`, or for one request in the header `Demo-Set`.
struct Switch: Sendable {
  enum Values: Sendable {
    case oneOf([String])
    case number(ClosedRange<Int>)
    case text
  }

  /// Lowercase; a dialect's begin with its name and a dot.
  let name: String
  let values: Values
  let standard: String
  let help: String

  /// The form of the values, for people.
  var valuesText: String {
    switch values {
    case .oneOf(let names): names.joined(separator: "|")
    case .number(let range): "\(range.lowerBound)..\(range.upperBound)"
    case .text: "TEXT"
    }
  }

  func accepts(_ value: String) -> Bool {
    switch values {
    case .oneOf(let names): names.contains(value)
    case .number(let range): Int(value).map(range.contains) ?? false
    case .text: true
    }
  }
}
