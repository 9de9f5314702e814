public import BackendKit
public import BackendTransport

/// A backend as configured. Nothing of it is opened, requested or resolved yet.
public struct BackendConfiguration: Sendable {
  /// The name that commands use.
  public var name: String
  /// The name of its plugin.
  public var plugin: String
  /// The address: `http://…`, `https://…`, or `demo:NAME` for a dialect of the embedded demo server.
  public var url: String
  /// The options as written; `checkedOptions(_:)` checks them against the plugin.
  public var options = Object()
  /// The file that describes the service, for a plugin that reads one.
  public var description: File?
  /// The values that override those of the file.
  package var override: LocatedValue?
  /// Header fields for every request; see `headers(helpers:)`.
  public var headers: [(name: String, value: Secret)] = []
  /// The header field that identifies the run to the server; nil for none.
  public var runHeader: String?
  /// The login to the server, instead of the plugin's; see `checkedLogin(_:)`.
  public var login: LoginScheme?
  /// The user's credentials; see `credentials(_:isRefused:helpers:)`.
  public var credentials: Credentials?
  /// The default resource of commands.
  public var resource: String?
  /// The kind of system, in a word, for example `production`; shown in the prompt.
  public var label: String?
  /// True if writes are refused.
  public var isReadOnly = false
  /// Names of fields, headers and parameters that are secrets although their names do not say so.
  public var secretNames: [String] = []
  /// The settings of secure connections, if they differ from the defaults.
  public var tls: TLSSettings?
  /// The timeouts of requests.
  public var timeouts = TransportSettings.Timeouts()
  /// The maximum number of records that one command may change by a condition; nil for no limit.
  public var maxChanges: Int?
  /// The maximum number of requests begun per second; nil for no limit.
  public var requestsPerSecond: Double?
  /// The maximum number of concurrent requests; nil for the default.
  public var maxConcurrent: Int?
  /// True if the server is asked for HTTP/2.
  public var usesHTTP2 = false
  /// The journal policy for its writes; nil if it has none of its own.
  public var journal: JournalPolicy?
  /// The configuration file's name for messages; empty for a backend given by its address.
  public var file = ""
  /// True if it may use credentials, headers, secret options and connection settings of its own.
  public var isTrusted = true
  /// The reason why it cannot be used, although the configuration as a whole can; thrown by every use.
  public var refusal: ConfigurationError?

  /// The places of its keys, by their paths below the backend.
  var places: [String: TextPlace] = [:]
  package var environment: [String: String] = [:]
  /// The folder to which the paths of its files are relative.
  package var folder = ""
  /// The contents of files that were checked along with the configuration, by path; others are read on demand.
  var contents: [String: [UInt8]] = [:]

  /// A backend with defaults.
  public init(name: String, plugin: String, url: String) {
    self.name = name
    self.plugin = plugin
    self.url = url
  }

  /// A file that it names.
  public struct File: Sendable {
    /// The path as written.
    public var shown: String
    /// The path, absolute.
    public var path: String
  }

  /// True if every write is confirmed at a terminal.
  package var isProduction: Bool { label?.lowercased() == "production" }

  /// Throws the refusal, if any.
  public func checkUsable() throws(ConfigurationError) {
    if let refusal { throw refusal }
  }

  /// Returns the place of one of its keys, or that of the backend if the key is not in the file.
  package func place(_ keys: String...) -> ConfigurationPlace { place(keys) }

  /// Returns the place of one of its keys, or that of the backend if the key is not in the file.
  public func place(_ keys: [String]) -> ConfigurationPlace {
    let key = keys.joined(separator: ".")
    let path = (["backends", name] + keys).joined(separator: ".")
    guard !file.isEmpty else { return ConfigurationPlace(file: "", path: name) }
    let place = places[key] ?? places[""]
    return ConfigurationPlace(file: file, line: place?.line, path: path)
  }
}

/// The user's credentials, each value as a reference to its source.
public struct Credentials: Sendable, Hashable {
  private var parts: [LoginScheme.Credential: Secret]
  /// The source of all parts together.
  var all: Secret?

  init(_ parts: [LoginScheme.Credential: Secret], all: Secret? = nil) {
    self.parts = parts
    self.all = all
  }

  /// The source of a part; nil if it is not given.
  public subscript(part: LoginScheme.Credential) -> Secret? { parts[part] ?? all }

  /// The parts that are named individually.
  var named: [LoginScheme.Credential] { LoginScheme.Credential.allCases.filter { parts[$0] != nil } }

  /// The sources of the secret parts: all but names.
  var secrets: [Secret] { parts.filter { $0.key != .username && $0.key != .clientID }.map(\.value) }
}
