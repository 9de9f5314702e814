extension BackendSettings {
  /// The text of an option, else the default of its description; throws `misconfigured` where it is empty.
  public func text(_ name: String, of options: [OptionDescription]) throws(BackendError) -> String {
    let usual = options.first { $0.name == name }?.defaultValue?.text
    guard let text = text(name) ?? usual, !text.isEmpty else {
      throw .misconfigured(
        "the option \(name) of \(self.name) is empty", hint: usual.map { "leave it out for \"\($0)\"" })
    }
    return text
  }

  /// The same option as a path below the backend's address; throws `misconfigured` where it is none.
  public func path(_ name: String, of options: [OptionDescription]) throws(BackendError) -> RequestPath {
    let text = try text(name, of: options)
    let segments = text.split(separator: "/").map(String.init)
    if !segments.isEmpty, let path = try? RequestPath(segments: segments) { return path }
    throw .misconfigured(
      "the option \(name) of \(self.name) is not a path: \"\(text)\"",
      hint: "write the names below the backend's address, joined by slashes")
  }

  /// The word of an option that is a choice, else its default; throws `misconfigured` where it is none of the words.
  public func choice(_ name: String, of options: [OptionDescription]) throws(BackendError) -> String {
    let word = try text(name, of: options)
    guard case .choice(let words)? = options.first(where: { $0.name == name })?.kind, !words.contains(word) else {
      return word
    }
    throw .misconfigured(
      "the option \(name) of \(self.name) is \"\(word)\"", hint: "it can be \(words.joined(separator: " or "))")
  }

  /// The number of an option, else its default, or nil where it has none; throws `misconfigured` unless it is a whole number
  /// of at least 1.
  public func count(_ name: String, of options: [OptionDescription]) throws(BackendError) -> Int? {
    let set = self.options[name].flatMap { $0 == .null ? nil : $0 }
    guard let value = set ?? options.first(where: { $0.name == name })?.defaultValue else { return nil }
    if let count = value.integer, count >= 1 { return count }
    throw .misconfigured("the option \(name) of \(self.name) is not a whole number of at least 1", hint: nil)
  }
}
