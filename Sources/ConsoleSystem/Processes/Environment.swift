import Glibc

/// The environment of the process, read only here.
public enum Environment {
  /// The variables whose values are text. Others are left out, and reported when used.
  public static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      if let text = String(validatingCString: entry), let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return variables
  }

  /// Returns whether a variable was left out because its value is not text.
  public static func isUnreadable(_ name: String) -> Bool {
    getenv(name).map { String(validatingCString: $0) == nil } ?? false
  }

  /// The first variable for the place of the console's own files that cannot be read.
  public static var unreadablePlace: String? {
    ["SWITCHBOARD_CONFIG", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"].first(where: isUnreadable)
  }
}

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
