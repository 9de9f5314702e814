/// The environment of the programs that the console starts: its own, without variables that hold secrets.
public struct ChildEnvironment: Sendable, Hashable {
  /// The variables.
  public private(set) var variables: [String: String]

  /// An unfiltered environment.
  package init(_ variables: [String: String]) { self.variables = variables }

  package subscript(name: String) -> String? { variables[name] }

  package mutating func setDefault(_ name: String, _ value: String) { variables[name] = variables[name] ?? value }

  /// The variables in the form for a new process.
  public var entries: [String] { variables.map { "\($0.key)=\($0.value)" } }
}
