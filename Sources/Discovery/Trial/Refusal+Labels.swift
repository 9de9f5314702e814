import BackendKit

/// Labels of fields for people: `First name cannot be blank` is about `firstname`.
extension Refusal {
  private static let lacks =
    ["cannot", "can't", "can not", "may not", "must not", "should not"].flatMap { verb in
      ["blank", "empty", "null"].map { " \(verb) be \($0)" }
    } + [" must be present", " must exist", " is required", " is a required"]

  /// Words for the whole request, or for no particular field.
  private static let others: Set<String> = [
    "body", "data", "field", "input", "it", "json", "parameter", "payload", "request", "this", "value",
  ]

  /// The fields that a text reports as missing. An unknown label counts as the name of a field that no record shows.
  static func missing(in text: String, _ known: Set<String>) -> [String] {
    let clauses = text.lowercased().replacing(text: "\u{2019}", with: "'").split { ",;:.!\n".contains($0) }
    return clauses.compactMap { clause in
      let clause = String(clause)
      guard let end = lacks.lazy.compactMap({ clause.firstRange(ofText: $0)?.lowerBound }).first else { return nil }
      var label = String(clause[..<end])
      for place in [" in body", " in query"] where label.hasSuffix(place) { label.removeLast(place.count) }
      if let name = field(labeled: label, known) { return name }
      let words = label.split(separator: " ")
      guard !clause[end...].contains(text: "required"), (1...2).contains(words.count),
        words.allSatisfy({ $0.allSatisfy(\.isLetter) && !others.contains(String($0)) })
      else { return nil }
      return words.joined(separator: "_")
    }
  }

  /// The known field with a label, regardless of case and blanks: the one that the label ends in.
  private static func field(labeled label: String, _ known: Set<String>) -> String? {
    let label = DocumentedResource.plain(label)
    let fitting = known.filter { name in
      let plain = DocumentedResource.plain(name)
      return plain == label || plain.utf8.count > 3 && label.hasSuffix(plain)
    }
    return fitting.sorted().max { $0.utf8.count < $1.utf8.count }
  }

  /// The known field with whose label a sentence begins.
  static func field(before words: [String], _ known: Set<String>) -> String? {
    let begins = (1...3).filter { $0 < words.count }.map { DocumentedResource.plain(words.prefix($0).joined()) }
    return known.sorted().last { $0.utf8.count > 2 && begins.contains(DocumentedResource.plain($0)) }
  }
}
