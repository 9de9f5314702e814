/// A document as the pairs of a form: members in brackets after the name, `address[city]`, elements by number.
struct FormPairs {
  private var pairs: [(String, String)] = []
  /// True if a list of plain values repeats its name for each, without a number.
  private let isRepeating: Bool

  private init(isRepeating: Bool) { self.isRepeating = isRepeating }

  /// The pairs. Throws `unsupported` for what a form cannot express: names that would be read as other places, and
  /// empty containers, which would send nothing.
  static func of(_ document: Value, repeating: Bool = false) throws(BackendError) -> [(String, String)] {
    var form = FormPairs(isRepeating: repeating)
    if let object = document.object, object.isEmpty { return [] }
    try form.add(document, "")
    return form.pairs
  }

  private mutating func add(_ value: Value, _ name: String) throws(BackendError) {
    switch value {
    case .null: pairs.append((name, ""))
    case .object(let object):
      guard !object.isEmpty else { throw Self.unsaid("an empty object", name) }
      for (member, value) in object.members {
        let isNumber = member.utf8.allSatisfy(\.isDigit)
        guard !isNumber, !member.utf8.contains(where: { "[]".utf8.contains($0) }) else {
          throw Self.unsaid("a member named \"\(member)\"", name)
        }
        try add(value, name.isEmpty ? member : "\(name)[\(member)]")
      }
    case .array(let elements):
      guard !elements.isEmpty else { throw Self.unsaid("an empty list", name) }
      let repeats = isRepeating && elements.allSatisfy { $0.object == nil && $0.array == nil }
      for (place, element) in elements.enumerated() { try add(element, repeats ? name : "\(name)[\(place)]") }
    default: pairs.append((name, value.plain ?? ""))
    }
  }

  private static func unsaid(_ what: String, _ name: String) -> BackendError {
    .unsupported(
      "requests to this service are form-encoded, where \(name.isEmpty ? "the record" : name) cannot contain \(what)")
  }
}
