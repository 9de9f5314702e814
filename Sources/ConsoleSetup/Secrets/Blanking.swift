public import BackendKit
import Synchronization

/// The register of secrets, and the one place that decides what is secret. Everything that the console stores or
/// reports of a run (recordings, trace, log, history, journal, plans, messages) passes through it.
///
/// A secret is a value under a name that is telling, listed in the configuration, or declared by a description
/// (`secret: true`), in a header, a query, a form, a JSON document or a command; and every value that the
/// configuration, the environment, a command or a login provides as one, or that was in a secret field, wherever it
/// occurs and however it is spelled.
public final class Blanking: Sendable {
  /// The replacement for a secret.
  public static let mark = "[blanked]"
  /// Header fields whose values are always secrets.
  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
  ]

  private struct State {
    var names: SecretNames
    /// Cached decisions on names: a list has the same ones in each of its records.
    var judged: [String: SecretNames.Reason?] = [:]
    /// The backends whose descriptions were read, and those with secret fields.
    var described: Set<String> = []
    var withFields: Set<String>
    var secrets = SpelledSecrets()
    /// Values that were read or written.
    var seen = SeenSecrets()
    /// Reads the values that the configuration refers to; nil once done.
    var read: (@Sendable () -> [String])?
  }

  /// The names under which values are secrets, so far.
  package var names: SecretNames { state.withLock(\.names) }
  /// The names of the configured backends, to recognize `login BACKEND`.
  package let backends: Set<String>
  private let state: Mutex<State>

  /// A blanking with these names as secrets, and the values of `read`, which is called on first use. `withFields` are
  /// the backends whose values under these names are searched for in all texts.
  init(
    names: [String] = [], backends: [String] = [], withFields: [String] = [], read: (@Sendable () -> [String])? = nil
  ) {
    self.backends = Set(backends)
    state = Mutex(State(names: SecretNames(names), withFields: Set(withFields), read: read))
  }

  /// Blanks texts from now on, wherever they occur. Texts of less than four bytes would cause false matches.
  public func keepSecret(_ texts: [String]) {
    state.withLock { state in
      for text in texts where text.utf8.count >= SecretNames.minimumLength { state.secrets.insert(text) }
    }
  }

  /// Blanks values of secret fields from now on, if they are long enough to be distinctive; only the most recent are
  /// kept, in bounded memory.
  package func see(_ texts: [String]) {
    let texts = texts.filter { $0.utf8.count >= SecretNames.minimumLengthOfValues }
    if texts.isEmpty { return }
    state.withLock { state in for text in texts { state.seen.insert(text) } }
  }

  /// Registers secret fields of a backend, and notes that its description was read.
  package func declare(_ fields: [String], of backend: String) {
    state.withLock { state in
      state.described.insert(backend)
      if !fields.isEmpty { state.withFields.insert(backend) }
      if state.names.insert(fields) { state.judged = [:] }
    }
  }

  /// Returns whether the description of a backend was read.
  package func isDescribed(_ backend: String) -> Bool { state.withLock { $0.described.contains(backend) } }

  /// Returns whether a backend is known to have secret fields.
  package func hasSecretFields(_ backend: String) -> Bool { state.withLock { $0.withFields.contains(backend) } }

  /// Blanks a header field's value.
  public func header(_ name: String, _ value: String) -> String {
    let name = name.lowercased()
    // Headers that inform a browser about credentials contain none.
    if name.hasPrefix("access-control-") { return value }
    guard Self.headers.contains(name) || names.contains(name) else { return address(value) }
    keepSecret(Self.credentials(value).filter { $0.utf8.count >= SecretNames.minimumLengthOfValues })
    return Self.mark
  }

  /// Blanks path and query as sent.
  public func target(_ request: HTTPRequest) -> String {
    if let link = request.link { return address(link) }
    let query = request.query.map { name, value in
      (name, marked(parameter: name, value).map { Self.encoded($0) } ?? PercentEncoding.encode(value))
    }
    let pairs = query.map { "\(PercentEncoding.encode($0))=\($1)" }
    return text(request.path.description + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")))
  }

  /// Blanks an address, or a text with addresses, and registers its secrets: servers repeat them in header fields and
  /// links.
  package func address(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "?") {
      let query = rest[rest.index(after: start)...].prefix { !"<>\" ".contains($0) }
      result += rest[...start] + String(decoding: form(Array(query.utf8)), as: UTF8.self)
      rest = rest[query.endIndex...]
    }
    return self.text(result + rest)
  }

  /// Blanks the value of a parameter and registers its secrets: all of it under a secret name, and parts if it is
  /// itself a condition. Nil if it has none.
  private func marked(parameter name: String, _ value: String) -> String? {
    let names = names
    if names.contains(name) {
      see([value])
      return Self.mark
    }
    var found: [String] = []
    let json = BlankedJSON.text(Array(value.utf8), isProse: true, isSecret: isSecret(_:), &found)
    see(found)
    let plain = String(decoding: json, as: UTF8.self)
    let parts = NamedSecrets.all(in: plain, names).filter {
      !$0.contains(text: Self.mark) && $0 != "blanked"
    }
    let marked = parts.isEmpty ? plain : text(plain, without: parts)
    return marked == value ? nil : marked
  }

  /// A value as sent in a query, with its marks unescaped.
  private static func encoded(_ value: String) -> String {
    PercentEncoding.encode(value).replacing(text: PercentEncoding.encode(mark), with: mark)
  }

  /// Blanks a text: secrets by value, and in parts that are JSON by name.
  public func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var found: [String] = []
    let isPlain = !bytes.contains(UInt8(ascii: "\"")) || !bytes.contains(UInt8(ascii: ":"))
    let named = isPlain ? bytes : BlankedJSON.text(bytes, isProse: true, isSecret: isSecret(_:), &found)
    let blanked = withoutValues(named)
    return blanked == bytes ? text : String(decoding: blanked, as: UTF8.self)
  }

  /// Blanks a body: JSON, even if truncated, a form, or anything else. A value that a request sends under a secret name
  /// is a secret in its response as well.
  public func body(_ bytes: [UInt8], isForm: Bool = false, isRequest: Bool = false) -> [UInt8] {
    if isForm { return withoutValues(form(bytes)) }
    var found: [String] = []
    let blanked = BlankedJSON.text(bytes, isSecret: isSecret(_:), isKnown: isKnown(_:), &found)
    if isRequest { see(found) }
    return withoutValues(blanked)
  }

  /// Returns whether an object holds no secret, according to its names and the known secrets. A value that a request
  /// sends under a secret name is a secret wherever else it occurs.
  package func isPlain(_ object: Object, isRequest: Bool = false) -> Bool {
    let whole = Array(JSONWriter.compact(.object(object)).utf8)
    return body(whole, isRequest: isRequest) == whole
  }

  /// Returns whether values of a member with this name are secrets.
  package func isSecret(_ name: String) -> Bool { reason(for: name) != nil }

  /// Returns the reason why values of a member with this name are secrets; nil if they are not.
  package func reason(for name: String) -> SecretNames.Reason? {
    state.withLock { state in
      if let known = state.judged[name] { return known }
      let reason = state.names.reason(for: name)
      // A server may send different names in each record.
      if name.utf8.count <= 100 {
        if state.judged.count >= 1_000 { state.judged = [:] }
        state.judged.updateValue(reason, forKey: name)
      }
      return reason
    }
  }

  private func form(_ bytes: [UInt8]) -> [UInt8] {
    var pairs: [[UInt8]] = []
    for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
        let value = marked(parameter: Self.plain(pair[..<equals]), Self.plain(pair[(equals + 1)...]))
      else {
        pairs.append(Array(pair))
        continue
      }
      pairs.append(pair[...equals] + Array(Self.encoded(value).utf8))
    }
    return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
  }

  /// A name or value of a form without its escapes.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: SpellingReader(text: Array(bytes)).plain(layers: 1), as: UTF8.self)
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

  /// Returns whether a number is a secret, to be replaced by a text.
  private func isKnown(_ number: String) -> Bool {
    state.withLock { $0.secrets.contains(number) || $0.seen.contains(number) }
  }

  private func withoutValues(_ bytes: [UInt8]) -> [UInt8] {
    let sets = state.withLock { state in
      if let read = state.read.take() {
        for text in read() where text.utf8.count >= SecretNames.minimumLength { state.secrets.insert(text) }
      }
      return [state.secrets] + state.seen.sets()
    }
    return SpelledSecrets.replaced(in: bytes, by: Self.mark, sets)
  }
}
