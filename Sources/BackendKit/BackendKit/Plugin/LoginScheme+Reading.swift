extension LoginScheme {
  /// A mistake in a written scheme, with its place and correction.
  public struct Mistake: Error, Sendable, Hashable {
    /// The names that lead to it.
    public var path: [String]
    /// The problem, as a clause.
    public var message: String
    /// The correction, as a clause.
    public var hint: String?
    /// The allowed names, if one is unknown.
    public var known: [String] = []
  }

  /// The keys of each kind, besides those that all have.
  private static let keys: KeyValuePairs<String, [String]> = [
    "basic": [], "digest": [], "bearer": ["prefix"], "key": ["header", "prefix", "query", "cookie"],
    "login": ["request", "response", "refresh", "logout", "header", "prefix", "query", "cookie", "csrf"],
    "oauth2": [
      "grant", "tokenURL", "revocationURL", "authorizationURL", "deviceURL", "issuer", "scope", "parameters",
      "clientAuthentication",
    ],
  ]

  /// The kinds by their written names.
  public static let kinds = keys.map(\.key)

  /// Reads a written scheme, for example `{"kind": "key", "header": "X-Api-Key"}`. It holds no secrets.
  public init(reading value: Value) throws(Mistake) {
    let reader = try LoginReader(value, [])
    let kind = try reader.choice("kind", Self.kinds)
    try reader.allow(["kind", "rejections", "identity"] + (Self.keys.first { $0.key == kind }?.value ?? []))
    switch kind {
    case "basic": self.init(.basic)
    case "digest": self.init(.digest)
    case "bearer": self.init(.bearer(prefix: try reader.text("prefix", mayBeEmpty: true) ?? "Bearer"))
    case "key":
      guard let place = try reader.place() else {
        throw reader.mistake(
          "\"header\", \"query\" or \"cookie\" is required here", hint: "for example \"header\": \"X-Api-Key\"")
      }
      self.init(.key(place))
    case "login": self.init(.login(try reader.tokenLogin()))
    default: self.init(.oauth2(try reader.oauth2()))
    }
    rejections = try reader.rejections()
    if let inner = try reader.object("identity") {
      try inner.allow(["method", "path", "query", "fields"])
      identity = try inner.call(["GET"])
      identityFields = try inner.texts("fields")
    }
  }
}

extension LoginReader {
  /// Texts, or statuses with a text or member.
  fileprivate func rejections() throws(LoginScheme.Mistake) -> [LoginScheme.Rejection] {
    guard let value = object["rejections"] else { return [] }
    guard let elements = value.array else {
      throw mistake("expected a list, not \(value.kindWithArticle)", at: "rejections", hint: nil)
    }
    return try elements.map { element throws(LoginScheme.Mistake) in
      if let text = element.text, !text.isEmpty { return LoginScheme.Rejection(text: text) }
      let inner = try LoginReader(element, path + ["rejections"])
      try inner.allow(["status", "text", "member"])
      var rejection = LoginScheme.Rejection(text: try inner.text("text"), member: try inner.text("member"))
      if let given = inner.object["status"] {
        rejection.statuses = (given.array ?? [given]).compactMap(\.integer).filter((400...599).contains)
        guard rejection.statuses.count == given.array?.count ?? 1, !rejection.statuses.isEmpty else {
          throw inner.mistake("expected a status of an error, or a list of them", at: "status", hint: "for example 403")
        }
      }
      guard
        rejection.text != nil || rejection.member != nil
          || rejection.statuses.allSatisfy([401, 419, 440, 498].contains)
      else { throw inner.mistake("other errors have this status, too", hint: "add \"text\" or \"member\"") }
      return rejection
    }
  }
}
