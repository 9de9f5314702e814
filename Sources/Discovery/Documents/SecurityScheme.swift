import BackendClient
import BackendKit

/// A way in which a document says that requests are authorized: the login that carries it out, and the option of `add`
/// that gives its credentials.
struct SecurityScheme {
  let login: DocumentedLogin
  /// The credentials, in words.
  let wanted: String
  /// The option, as it is typed.
  let option: String
  /// The login of a person in a browser that gives what the option takes, as a configuration has it; nil for none.
  private var signIn: Object?

  private init?(_ written: [(String, Value)], _ wanted: String, _ option: String) {
    guard let login = DocumentedLogin(Object(written)) else { return nil }
    (self.login, self.wanted, self.option) = (login, wanted, option)
  }

  /// The lines of a configuration. What the operator replaces has no quotes, since these would make it look like a secret.
  var line: String {
    let parts = signIn == nil ? login.scheme.needs : [.clientID]
    let credentials = parts.map { part in
      switch part {
      case .username: "\"\(part.rawValue)\":USER"
      case .clientID: "\"\(part.rawValue)\":CLIENT"
      case .password, .token, .key, .clientSecret: "\"\(part.rawValue)\":{\"env\":VARIABLE}"
      }
    }
    let written = JSONWriter.compact(.object(signIn ?? login.written))
    return "\"login\": \(written), \"credentials\": {\(credentials.joined(separator: ","))}"
  }

  /// The ways that one scheme of a document has, as alternatives; empty if it is of no known kind. Relative addresses
  /// in it are below `base`.
  static func all(in scheme: Object, below base: String) -> [SecurityScheme] {
    let one: SecurityScheme?
    switch (scheme["type"]?.text, scheme["scheme"]?.text?.lowercased() ?? scheme["in"]?.text) {
    case ("basic", _), ("http", "basic"): one = basic("basic", "a user name and a password")
    case ("http", "digest"): one = basic("digest", "a user name and a password for HTTP Digest")
    case ("http", "bearer"): one = bearer("a token")
    case ("openIdConnect", _):
      let (url, place) = (scheme["openIdConnectUrl"]?.text ?? "", "/.well-known/openid-configuration")
      one = browser(url.hasSuffix(place) ? [("issuer", .string(String(url.dropLast(place.utf8.count))))] : [])
    case ("oauth2", _): return flows(of: scheme, below: base)
    case ("apiKey", let place?): one = key(scheme["name"]?.text ?? "", in: place, scheme["description"]?.text ?? "")
    default: one = nil
    }
    return [one].compactMap(\.self)
  }

  private static func basic(_ kind: String, _ wanted: String) -> SecurityScheme? {
    SecurityScheme([("kind", .string(kind))], wanted, "--basic-env USER:VARIABLE")
  }

  private static func bearer(_ wanted: String) -> SecurityScheme? {
    SecurityScheme([("kind", "bearer")], wanted, "--bearer-env VARIABLE")
  }

  /// A token from a login in a browser, with the endpoints of that as a configuration names them.
  private static func browser(_ endpoints: [(String, Value)]) -> SecurityScheme? {
    var scheme = bearer("a token from a login in a browser")
    let written = Object([("kind", "oauth2"), ("grant", "authorizationCode")] + endpoints)
    let isShort = endpoints.allSatisfy { $0.1.plainText.utf8.count <= SurveyText.request }
    scheme?.signIn = isShort && DocumentedLogin(written) != nil ? written : nil
    return scheme
  }

  private static func key(_ name: String, in place: String, _ description: String) -> SecurityScheme? {
    // Options are copied into shells: a name with other characters could be a command.
    guard !name.isEmpty, !name.hasPrefix("-"), name.utf8.count <= SurveyText.name,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    else { return nil }
    let (written, option) = ([("kind", "key"), (place, .string(name))] as [(String, Value)], "-env \(name)=VARIABLE")
    switch place {
    case "query": return SecurityScheme(written, "a key in the parameter \(name)", "--query\(option)")
    case "cookie": return SecurityScheme(written, "a key in the cookie \(name)", "--cookie\(option)")
    case "header":
      guard name.lowercased() == "authorization", let prefix = prefix(in: description) else {
        return SecurityScheme(written, "a key in the header field \(name)", "--header\(option)")
      }
      switch prefix.lowercased() {
      case "bearer": return bearer("a token")
      case "basic": return basic("basic", "a user name and a password")
      default:
        return SecurityScheme(
          [("kind", "bearer"), ("prefix", .string(prefix))],
          "a token in \(name), where the variable begins with \"\(prefix) \"", "--header\(option)")
      }
    default: return nil
    }
  }

  /// The word before the key in `Authorization`, if a description says plainly that there is one: `Authorization: SSWS
  /// KEY`, or a word in quotes that it calls a prefix.
  private static func prefix(in description: String) -> String? {
    let text = String(description.prefix(2_000))
    func word(_ text: some StringProtocol) -> String? {
      let word = text.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
      return (3...20).contains(word.count) ? String(word) : nil
    }
    if let field = text.firstRange(ofText: "Authorization: "), let word = word(text[field.upperBound...]),
      text[field.upperBound...].dropFirst(word.count).first == " "
    {
      return word
    }
    guard ["prefix", "prepended"].contains(where: text.lowercased().contains(text:)) else { return nil }
    return text.indices.lazy.filter { "\"'`".contains(text[$0]) }.compactMap { quote in
      let rest = text[text.index(after: quote)...]
      return word(rest).flatMap { rest.dropFirst($0.count).first == text[quote] ? $0 : nil }
    }.first
  }

  /// The flows of OAuth 2. The console asks for a token itself where that takes no browser.
  private static func flows(of scheme: Object, below base: String) -> [SecurityScheme] {
    let flows = scheme["flows"]?.object ?? Object([(scheme["flow"]?.text ?? "", .object(scheme))])
    func address(_ url: String) -> String {
      url.contains(text: "://") || url.hasPrefix("/") ? url : "\(base)/\(url)"
    }
    func flow(_ names: [String], _ grant: String, _ wanted: String, _ user: String) -> SecurityScheme? {
      guard let url = names.lazy.compactMap({ flows[$0]?.object?["tokenUrl"]?.text }).first,
        url.utf8.count <= SurveyText.request
      else { return nil }
      let address = address(url)
      return SecurityScheme(
        [("kind", "oauth2"), ("grant", .string(grant)), ("tokenURL", .string(address))],
        "\(wanted) for a token from \(address)", "--basic-env \(user):VARIABLE")
    }
    let browsers = ["authorizationCode", "accessCode", "implicit"].lazy.compactMap { flows[$0]?.object }.first
    return [
      flow(["password"], "password", "a user name and a password", "USER"),
      flow(["clientCredentials", "application"], "clientCredentials", "a client ID and its secret", "CLIENT"),
      browsers.flatMap { flow in
        browser(
          [("authorizationURL", "authorizationUrl"), ("tokenURL", "tokenUrl")].compactMap { key, name in
            flow[name]?.text.map { (key, .string(address($0))) }
          })
      },
    ].compactMap(\.self)
  }
}

/// Reads what a document wants of its operations: alternatives, each with the schemes that are needed together.
struct SecurityReader {
  /// The most schemes that are read, and the most alternatives of one operation.
  private static let most = 20

  /// The schemes in the document's order.
  let schemes: [SecurityScheme]
  /// The parameters that hold keys.
  var keys: Set<String> { Set(schemes.compactMap { $0.login.written["query"]?.text }) }
  private let named: [String: [SecurityScheme]]
  private var shared: [[SecurityScheme]] = []

  init(_ root: Object, _ schemas: SchemaReader, below base: String) {
    let all = root["components"]?.object?["securitySchemes"]?.object ?? root["securityDefinitions"]?.object
    let found = (all ?? Object()).members.prefix(Self.most).map { name, scheme in
      (name, schemas.object(scheme).map { SecurityScheme.all(in: $0, below: base) } ?? [])
    }
    schemes = found.flatMap(\.1)
    named = Dictionary(found, uniquingKeysWith: { first, _ in first })
    shared = alternatives(root["security"])
  }

  /// The alternatives of an operation: its own, else those of the document.
  func wanted(by operation: Object) -> [[SecurityScheme]] {
    operation["security"].map(alternatives) ?? shared
  }

  private func alternatives(_ value: Value?) -> [[SecurityScheme]] {
    (value?.array?.prefix(Self.most) ?? []).flatMap { requirement -> [[SecurityScheme]] in
      let parts = (requirement.object?.names.prefix(Self.most) ?? []).map { named[$0] ?? [] }
      guard parts.count > 1 else { return parts.first?.map { [$0] } ?? [] }
      let together = parts.compactMap(\.first)
      return together.count == parts.count ? [together] : []
    }
  }
}
