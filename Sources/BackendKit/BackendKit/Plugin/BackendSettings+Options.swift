extension BackendSettings {
  /// The text of an option or its default. Throws `misconfigured` if it is empty.
  public func text(_ name: String, of options: [OptionDescription]) throws(BackendError) -> String {
    let usual = options.first { $0.name == name }?.defaultValue?.text
    guard let text = text(name) ?? usual, !text.isEmpty else {
      throw .misconfigured(
        "the option \(name) of \(self.name) is empty", hint: usual.map { "omit it to use \"\($0)\"" })
    }
    return text
  }

  /// The path below the backend's address in an option or its default. Throws `misconfigured` if it is not one.
  public func path(_ name: String, of options: [OptionDescription]) throws(BackendError) -> RequestPath {
    try path(try text(name, of: options), as: name)
  }

  /// A text of an option, or of a part of it, as a path below the backend's address. Throws `misconfigured` if it is
  /// not one.
  public func path(_ text: String, as name: String) throws(BackendError) -> RequestPath {
    let segments = text.split(separator: "/").map(String.init)
    if !segments.isEmpty, let path = try? RequestPath(segments: segments) { return path }
    throw .misconfigured(
      "the option \(name) of \(self.name) is not a path: \"\(text)\"",
      hint: "write a path relative to the backend's address, with slashes between the names")
  }

  /// The members of an option, or of a part of it; empty for null. Throws `misconfigured` if it is not an object.
  public func members(_ value: Value?, as name: String) throws(BackendError) -> [(String, Value)] {
    guard let value, value != .null else { return [] }
    guard let object = value.object else { throw .misconfigured("\(name) must be an object") }
    return object.members.map { ($0, $1) }
  }

  /// The fields in an option, each a name with the word of a type. Throws `misconfigured` if one is invalid.
  public func fields(_ value: Value?, as name: String) throws(BackendError) -> [FieldDescription] {
    try members(value, as: name).map { field, value throws(BackendError) in
      guard let kind = value.text.flatMap(FieldDescription.Kind.init) else {
        let words = FieldDescription.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw .misconfigured("\(name).\(field) must be one of \(words)")
      }
      return FieldDescription(field, kind)
    }
  }

  /// The word of a choice option or its default. Throws `misconfigured` if it is not one of the words.
  public func choice(_ name: String, of options: [OptionDescription]) throws(BackendError) -> String {
    let word = try text(name, of: options)
    guard case .choice(let words)? = options.first(where: { $0.name == name })?.kind, !words.contains(word) else {
      return word
    }
    throw .misconfigured(
      "the option \(name) of \(self.name) is \"\(word)\"", hint: "it can be \(words.joined(separator: " or "))")
  }

  /// The number of an option or its default, or nil if it has none. Throws `misconfigured` unless it is a whole number
  /// of at least 1.
  public func count(_ name: String, of options: [OptionDescription]) throws(BackendError) -> Int? {
    let set = self.options[name].flatMap { $0 == .null ? nil : $0 }
    guard let value = set ?? options.first(where: { $0.name == name })?.defaultValue else { return nil }
    if let count = value.integer, (1...Int(Int32.max)).contains(count) { return count }
    throw .misconfigured(
      "the option \(name) of \(self.name) is not a whole number from 1 to \(Int32.max)", hint: nil)
  }
}
