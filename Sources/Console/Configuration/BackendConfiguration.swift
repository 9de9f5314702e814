public import BackendKit
public import BackendTransport

/// A backend as the configuration gives it. Nothing of it was opened, asked or resolved yet.
public struct BackendConfiguration: Sendable {
  /// The name that commands use.
  public var name: String
  /// The name of its plugin.
  public var plugin: String
  /// The address: `http://…`, `https://…`, or `demo:NAME` for a dialect of the embedded demo server.
  public var url: String
  /// The options as written; `checkedOptions(_:)` holds them against the plugin.
  public var options = Object()
  /// The file that describes the service, for a plugin that reads one.
  public var description: File?
  /// What is to be otherwise than that file says.
  var override: PlacedValue?
  /// Header fields for every request; see `resolvedHeaders()`.
  public var headers: [(name: String, value: Secret)] = []
  /// The header field that tells a server which run a request belongs to; nil for none.
  public var runHeader: String?
  /// How the console logs in to the server, in place of the plugin's login; see `checkedLogin(_:)`.
  public var login: LoginScheme?
  /// Who logs in; see `resolvedCredentials()`.
  public var credentials: Credentials?
  /// The resource that commands work on where they name none.
  public var resource: String?
  /// What kind of system it is, in a word, for example `production`; shown in the prompt.
  public var label: String?
  /// Whether nothing may be written to it.
  public var isReadOnly = false
  /// Names of fields, headers and parameters that are secrets although their names do not say so.
  public var secretNames: [String] = []
  /// How a secure connection is made, where it differs from the usual way.
  public var tls: TLSSettings?
  /// How long to wait.
  public var timeouts = TransportSettings.Timeouts()
  /// How many records one command may change by a condition; nil for no limit.
  public var maxChanges: Int?
  /// How many requests are begun in a second at most; nil for no limit.
  public var requestsPerSecond: Double?
  /// How many requests are under way at once at most; nil for the usual limit.
  public var maxConcurrent: Int?
  /// What is journaled of its writes; nil where that is not said for it.
  public var journal: JournalPolicy?
  /// The configuration's file as people know it; empty for a backend given by its address.
  public var file = ""
  /// Whether it may use credentials, headers, secret options and a connection of its own making.
  public var isTrusted = true
  /// Why it cannot be used, although the configuration as a whole can; thrown by whatever is asked of it.
  public var refusal: ConfigurationError?

  /// Where its keys stand, by the path below the backend.
  var places: [String: TextPlace] = [:]
  /// What its secrets are resolved against.
  var environment: [String: String] = [:]
  /// Where the paths of its files begin.
  var folder = ""
  /// The content of files that were judged when the configuration was, by path; others are read when they are needed.
  var contents: [String: [UInt8]] = [:]

  /// A backend without anything that has a usual value.
  public init(name: String, plugin: String, url: String) {
    self.name = name
    self.plugin = plugin
    self.url = url
  }

  /// A file that it names.
  public struct File: Sendable {
    /// The file as it is written there.
    public var shown: String
    /// The path, absolute.
    public var path: String
  }

  /// Whether whoever sits at a terminal is asked before every write.
  var isProduction: Bool { label?.lowercased() == "production" }

  /// Throws the refusal, where there is one.
  public func checkUsable() throws(ConfigurationError) {
    if let refusal { throw refusal }
  }

  /// Where a key of it stands; the backend itself where the key is not in the file.
  func place(_ keys: String...) -> ConfigurationPlace { place(keys) }

  /// Where a key of it stands; the backend itself where the key is not in the file.
  public func place(_ keys: [String]) -> ConfigurationPlace {
    let key = keys.joined(separator: ".")
    let path = (["backends", name] + keys).joined(separator: ".")
    guard !file.isEmpty else { return ConfigurationPlace(file: "", path: name) }
    let place = places[key] ?? places[""]
    return ConfigurationPlace(file: file, line: place?.line, column: place?.column, path: path)
  }
}

/// What a login needs of the user, each part as the name of where it stands.
public struct Credentials: Sendable, Hashable {
  private var parts: [LoginScheme.Credential: Secret]
  /// What gives all parts at once.
  var all: Secret?

  /// Credentials.
  init(_ parts: [LoginScheme.Credential: Secret], all: Secret? = nil) {
    self.parts = parts
    self.all = all
  }

  /// A user's name and password.
  public init(username: Secret, password: Secret) { self.init([.username: username, .password: password]) }

  /// Where a part stands; nil where it is not given.
  public subscript(part: LoginScheme.Credential) -> Secret? { parts[part] ?? all }

  /// The parts that are named by themselves.
  var named: [LoginScheme.Credential] { LoginScheme.Credential.allCases.filter { parts[$0] != nil } }

  /// Where the secret ones stand: all but names.
  var secrets: [Secret] { parts.filter { $0.key != .username && $0.key != .clientID }.map(\.value) }
}
