extension BackendSettings {
  /// The text of an option, else the standard of its description; throws `misconfigured` where it is empty.
  public func text(_ name: String, of options: [OptionDescription]) throws(BackendError) -> String {
    let standard = options.first { $0.name == name }?.standard?.text
    guard let text = text(name) ?? standard, !text.isEmpty else {
      throw BackendError(
        .misconfigured, "the option \(name) of \(self.name) is empty", effect: .notSent,
        hint: standard.map { "leave it out for \"\($0)\"" })
    }
    return text
  }

  /// The same option as a path below the backend's address; throws `misconfigured` where it is none.
  public func path(_ name: String, of options: [OptionDescription]) throws(BackendError) -> RequestPath {
    let text = try text(name, of: options)
    let segments = text.split(separator: "/").map(String.init)
    if !segments.isEmpty, let path = try? RequestPath(segments: segments) { return path }
    throw BackendError(
      .misconfigured, "the option \(name) of \(self.name) is no path: \"\(text)\"", effect: .notSent,
      hint: "write the names below the backend's address, joined by slashes")
  }
}
