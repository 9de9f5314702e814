public import BackendKit

/// The content of a text in YAML.
public struct YAMLDocument: Sendable {
  /// The value.
  public var value: Value
  /// The lines, from 1, in which the members of the outermost map begin; empty if it is not a map.
  public var lines: [Int]

  /// A document.
  public init(value: Value, lines: [Int]) {
    self.value = value
    self.lines = lines
  }
}

/// The reason why a text cannot be read as YAML.
public struct YAMLMistake: Error, Sendable {
  /// The line, from 1, if known.
  public var line: Int?
  /// The mistake, as a clause without a full stop.
  public var message: String
  /// The correction, as a clause, or nil.
  public var hint: String?

  /// A mistake.
  public init(line: Int?, _ message: String, hint: String? = nil) {
    self.line = line
    self.message = message
    self.hint = hint
  }
}
