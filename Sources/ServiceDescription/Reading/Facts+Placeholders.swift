import BackendKit

extension Facts {
  /// Refuses an unknown placeholder, which would be sent unchanged.
  func checkPlaceholders(_ names: [String], at key: String, _ known: [String]) {
    guard let name = names.first(where: { !known.contains($0) }) else { return }
    let known = known.map { "{\($0)}" }.joined(separator: ", ")
    mistake("{\(name)} is not a placeholder", at: key, hint: known.isEmpty ? nil : "placeholders: \(known)")
  }
}

extension String {
  /// The names in braces in a path, of any characters.
  var namesInBraces: [String] {
    split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstIndex(of: "}").map { String(part[..<$0]) }
    }
  }

  /// The names in braces that consist of letters: a query language may have other braces of its own.
  var placeholders: [String] {
    namesInBraces.filter { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isLetter } }
  }
}

extension Value {
  /// All texts in the value, and the names of its members.
  var allTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.allTexts)
    case .object(let object): object.members.flatMap { name, value in [name] + value.allTexts }
    case .null, .bool, .number: []
    }
  }
}
