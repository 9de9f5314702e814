import BackendKit

/// The rules for a backend's address: that of a service, or `demo:NAME`.
public enum BackendAddress {
  /// The prefix of an address in the embedded demo.
  public static let demo = "demo:"

  /// Returns whether a text begins like an address.
  static func looksLikeOne(_ text: String) -> Bool {
    ["http://", "https://", "unix:", "http+unix:", demo].contains { text.hasPrefix($0) }
  }

  /// Returns the reason why a text is not a backend's address, as a clause; nil if it is one.
  static func problem(of text: String) -> String? {
    if text.hasPrefix(demo) {
      return BackendName.isValid(String(text.dropFirst(demo.count)))
        ? nil : "demo: must be followed by the name of a demo service, for example demo:grails"
    }
    guard looksLikeOne(text) else { return "an address begins with http://, https:// or unix:///, or is demo:NAME" }
    do throws(WebAddress.Fault) { _ = try WebAddress(text) } catch { return error.reason }
    return nil
  }
}

/// The rules for a backend's name: `[a-z][a-z0-9-]*`.
enum BackendName {
  static func isValid(_ name: String) -> Bool {
    PluginName.isValid(name) && name.utf8.first.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") } == true
  }
}
