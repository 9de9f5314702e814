/// A named setting of the server's behavior: given at start with `--set`, or for one request in the header `Demo-Set`.
struct Switch: Sendable {
  enum Values: Sendable {
    case oneOf([String])
    case number(ClosedRange<Int>)
  }

  /// Lowercase; a dialect's begin with its name and a dot.
  let name: String
  let values: Values
  let standard: String
  let help: String

  /// A choice between words, the default first.
  init(_ name: String, _ words: [String], _ help: String) {
    (self.name, values, standard, self.help) = (name, .oneOf(words), words[0], help)
  }

  /// A number.
  init(_ name: String, _ range: ClosedRange<Int>, default standard: Int, _ help: String) {
    (self.name, values, self.standard, self.help) = (name, .number(range), String(standard), help)
  }

  /// The form of the values, for people.
  var valuesText: String {
    switch values {
    case .oneOf(let names): names.joined(separator: "|")
    case .number(let range): "\(range.lowerBound)..\(range.upperBound)"
    }
  }

  func accepts(_ value: String) -> Bool {
    switch values {
    case .oneOf(let names): names.contains(value)
    case .number(let range): Int(value).map(range.contains) ?? false
    }
  }
}
