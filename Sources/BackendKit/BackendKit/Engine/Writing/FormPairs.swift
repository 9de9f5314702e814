/// A document as the pairs of a form: members stand in brackets behind the name, `address[city]`, elements by their number.
enum FormPairs {
  /// The pairs. Throws `unsupported` for what a form cannot say: a name that would be read as another place, and what is empty, of
  /// which nothing would be sent.
  static func of(_ document: Value) throws(BackendError) -> [(String, String)] {
    var pairs: [(String, String)] = []
    if let object = document.object, object.isEmpty { return [] }
    try add(document, "", &pairs)
    return pairs
  }

  private static func add(
    _ value: Value, _ name: String, _ pairs: inout [(String, String)]
  ) throws(BackendError) {
    switch value {
    case .null: pairs.append((name, ""))
    case .object(let object):
      guard !object.isEmpty else { throw unsaid("an empty object", name) }
      for (member, value) in object.members {
        let isNumber = member.utf8.allSatisfy(\.isDigit)
        guard !isNumber, !member.utf8.contains(where: { "[]".utf8.contains($0) }) else {
          throw unsaid("a member named \"\(member)\"", name)
        }
        try add(value, name.isEmpty ? member : "\(name)[\(member)]", &pairs)
      }
    case .array(let elements):
      guard !elements.isEmpty else { throw unsaid("an empty list", name) }
      for (place, element) in elements.enumerated() { try add(element, "\(name)[\(place)]", &pairs) }
    default: pairs.append((name, value.plain ?? ""))
    }
  }

  private static func unsaid(_ what: String, _ name: String) -> BackendError {
    .unsupported(
      "requests to this service are form-encoded, where \(name.isEmpty ? "the record" : name) cannot contain \(what)")
  }
}
