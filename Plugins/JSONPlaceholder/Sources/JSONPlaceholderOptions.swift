import BackendKit

/// The configuration of this adapter.
struct JSONPlaceholderOptions: Sendable {
  /// The options as data.
  static let descriptions = [
    OptionDescription(
      "apiVersion", .choice(["0.17", "1"]), default: "0.17",
      help: "the major version of json-server", isSwitchable: true),
    OptionDescription(
      "writes", .choice(["auto", "kept", "echoed"]), default: "auto",
      help: "whether the server keeps what is written; auto finds out by reading back the first write",
      isSwitchable: true),
    OptionDescription(
      "collections", .text, help: "collections to offer without asking the server for them, separated by commas"),
    OptionDescription(
      "records", .text, help: "single records without identifiers, such as /profile, separated by commas"),
  ]

  /// The generations of json-server, which page and sort differently.
  enum Version: String, Sendable {
    case zero = "0.17"
    case one = "1"
  }

  /// The generation that answers.
  let version: Version
  /// The handling of writes: kept or not; `.unknown` to find out.
  let writes: Capabilities.Writes
  /// The default number of records per page; nil for the whole collection at once.
  let defaultPageSize: Int?
  /// Collections besides the site's six.
  let collections: [String]
  /// Single records without identifiers.
  let records: [String]

  /// The options of a backend; throws `misconfigured` where one cannot be used.
  init(_ settings: BackendSettings) throws(BackendError) {
    version = Version(rawValue: try settings.choice("apiVersion", of: Self.descriptions)) ?? .zero
    writes = Capabilities.Writes(rawValue: try settings.choice("writes", of: Self.descriptions)) ?? .unknown
    // A generation that always pages has to be told how.
    defaultPageSize = version == .one ? 100 : nil
    func names(_ option: String) -> [String] {
      (settings.text(option) ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }
    collections = names("collections")
    records = names("records")
  }
}
