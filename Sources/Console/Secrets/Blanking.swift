public import BackendKit
import Synchronization

/// The one place that knows what is secret. Whatever the console keeps or tells of a run (recordings, trace, log, history,
/// messages) goes through it.
///
/// A secret is what stands under a name that says so, in a header, a query, a form, a JSON document or a command, and every
/// value that the configuration, the environment, a command or a login gives as one, wherever it turns up and however it is
/// written.
public final class Blanking: Sendable {
  /// What stands where a secret was.
  public static let mark = "[blanked]"
  /// Names of header fields whose values are secrets whatever they are called.
  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
  ]

  private struct State {
    var secrets = SpelledSecrets()
    /// Reads what the configuration refers to; nil once that was done.
    var read: (@Sendable () -> [String])?
  }

  let names: SecretNames
  /// The names of the configured backends: the first word after `login` is one, or a user.
  let backends: Set<String>
  private let state: Mutex<State>
  /// The names that were judged: a list has the same ones in each of its records.
  private let judged = Mutex<[String: Bool]>([:])

  /// A blanking that also takes out what stands under these names, and what `read` gives once something is to be taken out.
  init(names: [String] = [], backends: [String] = [], read: (@Sendable () -> [String])? = nil) {
    self.names = SecretNames(names)
    self.backends = Set(backends)
    state = Mutex(State(read: read))
  }

  /// A blanking that knows the secrets of all backends of a configuration, as far as they can be read: what one of them was
  /// given may be sent to another.
  public convenience init(_ configuration: Configuration, environment: [String: String]) {
    let names = configuration.backends.flatMap(\.secretNames)
    self.init(names: names, backends: configuration.backends.map(\.name)) {
      let secret = SecretNames(names)
      return (environment["SWITCHBOARD_PASSWORD"].map { [$0] } ?? [])
        + configuration.backends.flatMap { $0.secrets(secret) }
    }
  }

  /// Takes texts out from now on, wherever they stand. One of less than four bytes would be found where it is none.
  public func keepSecret(_ texts: [String]) {
    state.withLock { state in
      for text in texts where text.utf8.count >= 4 { state.secrets.insert(text) }
    }
  }

  /// A header field's value.
  public func header(_ name: String, _ value: String) -> String {
    let name = name.lowercased()
    // What a browser is told of credentials is none.
    if name.hasPrefix("access-control-") { return value }
    guard Self.headers.contains(name) || names.contains(name) else { return text(value) }
    learn(Self.credentials(value))
    return Self.mark
  }

  /// Path and query as they are sent.
  public func target(_ request: HTTPRequest) -> String {
    if let link = request.link { return text(self.link(link)) }
    let query = request.query.map { name, value in
      guard names.contains(name) else { return (name, PercentEncoding.encode(value)) }
      learn([value])
      return (name, Self.mark)
    }
    let pairs = query.map { "\(PercentEncoding.encode($0))=\($1)" }
    return text(request.path.description + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")))
  }

  /// An address that a response has named, the parameters blanked that hold secrets.
  private func link(_ link: String) -> String {
    let path = link.prefix { $0 != "?" }
    guard path.count < link.count else { return link }
    let pairs = link.dropFirst(path.count + 1).split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      guard name.count < pair.count, names.contains(PercentEncoding.decoded(name) ?? "") else { return String(pair) }
      learn([PercentEncoding.decoded(pair.dropFirst(name.count + 1)) ?? ""])
      return "\(name)=\(Self.mark)"
    }
    return "\(path)?" + pairs.joined(separator: "&")
  }

  /// A text in which secrets may stand.
  public func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let blanked = withoutValues(bytes)
    return blanked == bytes ? text : String(decoding: blanked, as: UTF8.self)
  }

  /// A body: JSON, also one that was cut, a form, or whatever else. What a request gives under a secret name is a secret in
  /// the response to it, too.
  public func body(_ bytes: [UInt8], isForm: Bool = false, isRequest: Bool = false) -> [UInt8] {
    var found: [String] = []
    let blanked = isForm ? form(bytes, &found) : BlankedJSON.text(bytes, isSecret: isSecret, &found)
    if isRequest { learn(found) }
    return withoutValues(blanked)
  }

  /// Whether a name of a member says that its value is a secret.
  private func isSecret(_ name: String) -> Bool {
    if let known = judged.withLock({ $0[name] }) { return known }
    let isSecret = names.contains(name)
    // A server may send other names in each record.
    if name.utf8.count <= 100 {
      judged.withLock { judged in
        if judged.count >= 1_000 { judged = [:] }
        judged[name] = isSecret
      }
    }
    return isSecret
  }

  /// Takes texts out from now on that stood under a secret name: only longer ones, since the name may have been wrong.
  private func learn(_ texts: [String]) { keepSecret(texts.filter { $0.utf8.count >= 8 }) }

  private func form(_ bytes: [UInt8], _ found: inout [String]) -> [UInt8] {
    var pairs: [[UInt8]] = []
    for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), names.contains(Self.plain(pair[..<equals])) else {
        pairs.append(Array(pair))
        continue
      }
      found.append(Self.plain(pair[(equals + 1)...]))
      pairs.append(pair[...equals] + Array(Self.mark.utf8))
    }
    return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
  }

  /// A name or value of a form without its escapes.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    let reader = SpellingReader(text: Array(bytes))
    var plain: [UInt8] = []
    var index = 0
    while let unit = reader.units(at: index, layers: 1).last {
      plain += unit.bytes
      index = unit.next
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// The secrets in the value of a header field: what follows the scheme, or the value of a cookie.
  private static func credentials(_ value: String) -> [String] {
    if value.contains("="), value.contains(";") || !value.contains(" ") {
      return value.split(separator: ";").prefix(1).compactMap { pair in
        pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
      } + [value]
    }
    return [value] + (value.firstIndex(of: " ").map { [String(value[value.index(after: $0)...])] } ?? [])
  }

  private func withoutValues(_ bytes: [UInt8]) -> [UInt8] {
    let secrets = state.withLock { state in
      if let read = state.read.take() {
        for text in read() where text.utf8.count >= 4 { state.secrets.insert(text) }
      }
      return state.secrets
    }
    return secrets.replaced(in: bytes, by: Self.mark)
  }
}
