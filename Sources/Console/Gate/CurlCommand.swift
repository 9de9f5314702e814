import BackendKit
import ConsoleSetup
import ConsoleSystem

/// A request as a command of curl, quoted for a shell. Secrets are the variables that the configuration names, or `…`.
struct CurlCommand {
  private var words = ["curl"]
  private let blanking: Blanking

  init(_ request: HTTPRequest, to backend: OpenBackend, _ blanking: Blanking) throws(UsageError) {
    self.blanking = blanking
    let address = backend.configuration.url
    guard !address.hasPrefix("demo:") else {
      throw UsageError("the embedded demo has no address for curl", hint: "start switchboard-demo --port PORT")
    }
    let hasBody = request.body != nil || request.content != nil
    if request.method == "HEAD" {
      words.append("--head")
    } else if request.method != (hasBody ? "POST" : "GET") {
      words += ["-X", Self.quoted(request.method)]
    }
    for (name, value) in backend.configuration.headers { add(header: name, value) }
    let key = backend.configuration.credentials.flatMap { add($0, of: backend.login) }
    for (name, value) in request.headers { words += ["-H", Self.quoted("\(name): \(blanking.header(name, value))")] }
    if let body = request.body {
      let isForm = request.headers.contains { $0.0.lowercased() == "content-type" && $0.1.contains(text: "urlencoded") }
      let blanked = blanking.body(body, isForm: isForm, isRequest: true)
      words += ["--data-raw", Self.quoted(String(decoding: blanked, as: UTF8.self))]
    } else if request.content != nil {
      words += ["--data-raw", Self.unknown]
    }
    add(address, blanking.target(request), key)
  }

  var text: String { words.joined(separator: " ") }

  /// Adds the address, with the parameter that carries a key.
  private mutating func add(_ address: String, _ target: String, _ key: String?) {
    var base = address
    if address.hasPrefix("unix:") {
      words += ["--unix-socket", Self.quoted(String(address.dropFirst("unix://".count)))]
      base = "http://localhost"
    }
    if base.hasSuffix("/") { base.removeLast() }
    let whole = target.isEmpty ? base + "/" : "\(base)/\(target)"
    if whole.contains(where: "[]{}".contains) { words.append("--globoff") }
    guard let key else { return words.append(Self.quoted(whole)) }
    words.append("\"\(Self.escaped(whole))\(whole.contains("?") ? "&" : "?")\(key)\"")
  }

  /// Adds the user's credentials; returns the parameter of the query that carries them, if one does.
  private mutating func add(_ credentials: Credentials, of login: LoginScheme?) -> String? {
    guard let login else { return nil }
    switch login.kind {
    case .basic, .digest:
      if login.kind == .digest { words.append("--digest") }
      words += ["-u", "\"\(text(credentials[.username])):\(text(credentials[.password]))\""]
    case .bearer(let prefix): return add(text(credentials[.token]), in: .header("Authorization", prefix: prefix))
    case .key(let place): return add(text(credentials[.key]), in: place)
    case .login(let login): return add(Self.unknown, in: login.place)
    case .oauth2: return add(Self.unknown, in: .bearer)
    }
    return nil
  }

  private mutating func add(_ secret: String, in place: LoginScheme.Place) -> String? {
    switch place {
    case .header(let name, let prefix):
      words += ["-H", "\"\(Self.escaped(name)): \(prefix.isEmpty ? "" : Self.escaped(prefix) + " ")\(secret)\""]
    case .cookie(let name): words += ["-b", "\"\(Self.escaped(name))=\(secret)\""]
    case .query(let name): return "\(Self.escaped(PercentEncoding.encode(name)))=\(secret)"
    }
    return nil
  }

  private mutating func add(header name: String, _ value: Secret) {
    guard case .literal(let text) = value else {
      return words += ["-H", "\"\(Self.escaped(name)): \(text(value))\""]
    }
    words += ["-H", Self.quoted("\(name): \(blanking.header(name, text))")]
  }

  /// A value within double quotes: the variable that it is read from, or `…`.
  private func text(_ secret: Secret?) -> String {
    switch secret {
    case .environment(let name)?: "$\(name)"
    case .literal(let text)?: Self.escaped(blanking.text(text))
    case .file?, .command?, nil: Self.unknown
    }
  }

  private static let unknown = "…"

  /// A text within double quotes of a shell.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\\"$`".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  /// A word of a shell, in single quotes unless it is plain.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0)) }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing(text: "'", with: "'\\''"))'"
  }
}
