import BackendKit

extension Section {
  func key(formerly name: String) -> Key? { keys.first { $0.formerly == name } }
}

extension Section.Key {
  /// The start of the key's line under its present name, in the syntax of the file, with the value if that is a scalar.
  func line(with node: Node) -> String {
    let isJSON = node.place.file.hasSuffix(".json")
    let name = isJSON ? "\"\(name)\"" : name
    guard case .scalar(let value) = node.content else { return "\(name):" }
    guard !isJSON, let text = value.text, CoreSchema.isPlain(text, at: node.place) else {
      return "\(name): \(JSONWriter.compact(value))"
    }
    return "\(name): \(text)"
  }
}

extension CoreSchema {
  /// Returns whether a text needs no quotes, even within braces.
  fileprivate static func isPlain(_ text: String, at place: Place) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "_",
      text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || "_-./0123456789".unicodeScalars.contains($0) })
    else { return false }
    return (try? value(of: text, at: place)) == .string(text)
  }
}
