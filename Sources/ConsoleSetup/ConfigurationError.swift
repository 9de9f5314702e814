import ConsoleOutput

/// A place in a configuration.
public struct ConfigurationPlace: Sendable, Hashable, CustomStringConvertible {
  /// The file's name for messages.
  public var file: String
  /// The line, from 1; nil if the place is not in a file.
  public var line: Int?
  /// The key path, for example `backends.intranet.url`; empty for the whole file.
  public var path: String

  /// A place.
  public init(file: String, line: Int? = nil, path: String = "") {
    self.file = file
    self.line = line
    self.path = path
  }

  /// The file, the line and the key path, as far as known.
  public var description: String {
    var text = file
    if let line { text += (text.isEmpty ? "" : ":") + String(line) }
    if !path.isEmpty { text += (text.isEmpty ? "" : ": ") + path }
    return Escaping.text(text)
  }
}

/// A configuration that cannot be used. The exit status is 3.
///
/// None of its texts contains the value of a secret.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place of the error.
  public var place: ConfigurationPlace
  /// The problem, as one clause without a full stop.
  public var message: String
  /// The next step for the user, as one clause.
  public var hint: String?

  /// An error.
  public init(_ place: ConfigurationPlace, _ message: String, hint: String? = nil) {
    self.place = place
    self.message = message
    self.hint = hint
  }

  /// One line: `config.json:12: backends.intranet.urll: unknown key; did you mean "url"?`
  public var description: String { withoutHint + (hint.map { "; " + Escaping.text($0) } ?? "") }

  package var withoutHint: String {
    [place.description, Escaping.text(message)].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
