import BackendKit
import ConsoleSetup
import ConsoleSystem

/// A request as a command of curl, quoted for a shell. Secrets are the variables that the configuration names, or `…`.
struct CurlCommand {
  private var words = ["curl"]
  private let blanking: Blanking

  init(_ request: HTTPRequest, to backend: OpenBackend, _ blanking: Blanking) throws(UsageError) {
    self.blanking = blanking
    let configuration = backend.configuration
    guard !configuration.url.hasPrefix("demo:") else {
      throw UsageError("the embedded demo has no address for curl", hint: "start switchboard-demo --port PORT")
    }
    add(method: request.method, hasBody: request.body != nil || request.content != nil)
    for (name, value) in configuration.headers { add(header: name, value) }
    let key = configuration.credentials.flatMap { add($0, of: backend.login) }
    for (name, value) in request.headers { add(field: name, value) }
    if let body = request.body {
      add(body: body, request.headers)
    } else if request.content != nil {
      words += ["--data-raw", Self.unknown]
    }
    add(configuration.url, blanking.target(request), key)
  }

  /// A request as it went over the wire, with the fields that the HTTP client added.
  init(
    sent method: String, to address: String, _ headers: [(String, String)], _ body: [UInt8]?,
    of backend: BackendConfiguration, _ login: LoginScheme?, _ blanking: Blanking
  ) {
    self.blanking = blanking
    add(method: method, hasBody: body != nil)
    for (name, value) in headers {
      let known = name.lowercased()
      if known == "host" { continue }
      if known == "accept-encoding" {
        words.append("--compressed")
      } else if let own = backend.headers.first(where: { $0.name.lowercased() == known }) {
        add(header: own.name, own.value)
      } else if let credentials = backend.credentials, login?.kind.header?.lowercased() == known {
        _ = add(credentials, of: login)
      } else {
        add(field: name, value)
      }
    }
    if let body { add(body: body, headers) }
    let shown = blanking.address(address)
    if backend.url.hasPrefix("unix:"), shown.hasPrefix(backend.url) {
      add(backend.url, String(shown.dropFirst(backend.url.count).drop { $0 == "/" }), nil)
    } else {
      add(whole: shown)
    }
  }

  var text: String { words.joined(separator: " ") }

  private mutating func add(method: String, hasBody: Bool) {
    if method == "HEAD" {
      words.append("--head")
    } else if method != (hasBody ? "POST" : "GET") {
      words += ["-X", Self.quoted(method)]
    }
  }

  private mutating func add(field name: String, _ value: String) {
    words += ["-H", Self.quoted("\(name): \(blanking.header(name, value))")]
  }

  private mutating func add(body: [UInt8], _ headers: [(String, String)]) {
    let isForm = headers.contains { $0.0.lowercased() == "content-type" && $0.1.contains(text: "urlencoded") }
    let blanked = blanking.body(body, isForm: isForm, isRequest: true)
    words += ["--data-raw", Self.quoted(String(decoding: blanked, as: UTF8.self))]
  }

  /// Adds an address below the backend's, with the parameter that carries a key.
  private mutating func add(_ address: String, _ target: String, _ key: [Part]?) {
    var base = address
    if address.hasPrefix("unix:") {
      words += ["--unix-socket", Self.quoted(String(address.dropFirst("unix://".count)))]
      base = "http://localhost"
    }
    if base.hasSuffix("/") { base.removeLast() }
    add(whole: "\(base)/\(target)", key)
  }

  private mutating func add(whole address: String, _ key: [Part]? = nil) {
    if address.contains(where: "[]{}".contains) { words.append("--globoff") }
    guard let key else { return words.append(Self.quoted(address)) }
    words.append(Self.quoted([.text(address + (address.contains("?") ? "&" : "?"))] + key))
  }

  /// Adds the user's credentials; returns the parameter of the query that carries them, if one does.
  private mutating func add(_ credentials: Credentials, of login: LoginScheme?) -> [Part]? {
    guard let login else { return nil }
    switch login.kind {
    case .basic, .digest:
      if login.kind == .digest { words.append("--digest") }
      words += ["-u", Self.quoted([part(credentials[.username]), .text(":"), part(credentials[.password])])]
    case .bearer(let prefix): return add(part(credentials[.token]), in: .header("Authorization", prefix: prefix))
    case .key(let place): return add(part(credentials[.key]), in: place)
    case .login(let login): return add(.text(Self.unknown), in: login.place)
    case .oauth2: return add(.text(Self.unknown), in: .bearer)
    }
    return nil
  }

  private mutating func add(_ secret: Part, in place: LoginScheme.Place) -> [Part]? {
    switch place {
    case .header(let name, let prefix):
      words += ["-H", Self.quoted([.text("\(name): " + (prefix.isEmpty ? "" : prefix + " ")), secret])]
    case .cookie(let name): words += ["-b", Self.quoted([.text("\(name)="), secret])]
    case .query(let name): return [.text(PercentEncoding.encode(name) + "="), secret]
    }
    return nil
  }

  private mutating func add(header name: String, _ value: Secret) {
    guard case .literal(let text) = value else {
      return words += ["-H", Self.quoted([.text("\(name): "), part(value)])]
    }
    add(field: name, text)
  }

  /// A part of a word: a text, or the value of a variable.
  private enum Part {
    case text(String)
    case variable(String)
  }

  /// A value: the variable that it is read from, or `…`.
  private func part(_ secret: Secret?) -> Part {
    switch secret {
    case .environment(let name)?: .variable(name)
    case .literal(let text)?: .text(blanking.text(text))
    case .file?, .command?, nil: .text(Self.unknown)
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

  /// A word of parts in double quotes. These do not protect an exclamation mark, which recalls an earlier command: texts
  /// of a word that has one are in single quotes.
  private static func quoted(_ parts: [Part]) -> String {
    let hasMark = parts.contains { if case .text(let text) = $0 { text.contains("!") } else { false } }
    let shown = parts.map { part in
      switch part {
      case .text(let text): hasMark ? quoted(text) : escaped(text)
      case .variable(let name): hasMark ? "\"$\(name)\"" : "$\(name)"
      }
    }.joined()
    return hasMark ? shown : "\"\(shown)\""
  }

  /// A word of a shell, in single quotes unless it is plain.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0)) }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing(text: "'", with: "'\\''"))'"
  }
}

extension LoginScheme.Kind {
  /// The header field that carries the credentials; nil for a parameter.
  fileprivate var header: String? {
    switch self {
    case .basic, .digest, .bearer, .oauth2: "Authorization"
    case .key(let place): place.header
    case .login(let login): login.place.header
    }
  }
}
