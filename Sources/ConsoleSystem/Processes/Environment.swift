import Glibc

/// The environment of the process, read at this one place.
public enum Environment {
  /// The variables whose values are text. Those that are not are left out, and whoever asks for one is reported.
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

  /// The first variable that says where the console's own files are and cannot be read.
  public static var unreadablePlace: String? {
    ["SWITCHBOARD_CONFIG", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"].first(where: isUnreadable)
  }
}
