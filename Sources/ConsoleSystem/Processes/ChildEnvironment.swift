/// The environment of the programs that the console starts: its own, without the variables that hold secrets.
public struct ChildEnvironment: Sendable, Hashable {
  /// The variables.
  public private(set) var variables: [String: String]

  /// An environment as it is.
  package init(_ variables: [String: String]) { self.variables = variables }

  /// The value of a variable.
  package subscript(name: String) -> String? { variables[name] }

  /// Sets a variable that is not set.
  package mutating func setDefault(_ name: String, _ value: String) { variables[name] = variables[name] ?? value }

  /// The variables as a program is given them.
  public var entries: [String] { variables.map { "\($0.key)=\($0.value)" } }
}
