import BackendKit

/// What the configuration says, read once and checked.
struct JSONPlaceholderOptions: Sendable {
  /// The generations of json-server, which page and sort differently.
  enum Version: String, Sendable {
    case zero = "0.17"
    case one = "1"
  }

  /// The generation that answers.
  var version = Version.zero
  /// Whether writes are kept; `.unknown` where that is to be found out.
  var writes = Capabilities.Writes.unknown
  /// How many records a page has where nobody says; nil for the whole collection at once.
  var pageSize: Int?
  /// Collections besides the site's six.
  var collections: [String] = []

  init(_ settings: BackendSettings) throws(BackendError) {
    if let text = settings.text("apiVersion") {
      guard let version = Version(rawValue: text) else {
        throw .misconfigured("apiVersion is \"\(text)\"; it can be 0.17 or 1")
      }
      self.version = version
    }
    if let text = settings.text("writes"), text != "auto" {
      guard let writes = Capabilities.Writes(rawValue: text), writes != .unknown else {
        throw .misconfigured("writes is \"\(text)\"; it can be auto, kept or echoed")
      }
      self.writes = writes
    }
    if let value = settings.options["pageSize"], value != .null {
      guard let size = value.integer, size >= 1 else { throw .misconfigured("pageSize must be 1 or more") }
      pageSize = size
    }
    if version == .one && pageSize == nil { pageSize = 100 }
    for name in (settings.text("collections") ?? "").split(separator: ",") {
      let name = name.drop { $0 == " " }.prefix { $0 != " " }
      if !name.isEmpty { collections.append(String(name)) }
    }
  }
}

extension BackendError {
  /// A configuration that the adapter cannot work with.
  static func misconfigured(_ message: String, hint: String? = nil) -> BackendError {
    BackendError(.misconfigured, message, effect: .notSent, hint: hint)
  }
}
