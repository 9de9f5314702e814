/// The way the console logs in to a service, as data. The transport carries it out: an adapter sees neither password
/// nor token.
///
/// A scheme holds no secret: what the user has to give is named by ``needs``, and the configuration says where it stands.
///
/// - Law login request methods: a plugin's login and logout requests use methods that may change something; the request
///   that asks who is logged in uses a read method.
public struct LoginScheme: Sendable, Hashable {
  /// The kinds.
  public enum Kind: Sendable, Hashable {
    /// User name and password with every request (RFC 7617).
    case basic
    /// A digest of user name and password with every request, as the server requests it (RFC 7616): by SHA-256 or MD5.
    case digest
    /// A user's token in `Authorization` with every request (RFC 6750); an empty prefix sends the bare token.
    case bearer(prefix: String = "Bearer")
    /// A user's key with every request.
    case key(Place)
    /// A request that exchanges user name and password for a token, which is sent from then on.
    case login(TokenLogin)
    /// A token of an OAuth 2 server (RFC 6749), sent as a bearer token.
    case oauth2(OAuth2)
  }

  /// The place of a token or a key in a request.
  public enum Place: Sendable, Hashable {
    /// In a header field, after a prefix and a space; alone if the prefix is empty.
    case header(String, prefix: String = "")
    /// In a parameter of the query.
    case query(String)
    /// In a cookie, with any others that the login has set.
    case cookie(String)

    /// As in RFC 6750.
    public static let bearer = Place.header("Authorization", prefix: "Bearer")

    /// The header field; nil for a parameter.
    public var header: String? {
      switch self {
      case .header(let name, _): name
      case .cookie: "Cookie"
      case .query: nil
      }
    }

    /// True if it is a cookie.
    public var isCookie: Bool { if case .cookie = self { true } else { false } }
  }

  /// A credential that the user provides, by its name in the configuration.
  public enum Credential: String, Sendable, Hashable, CaseIterable {
    case username, password, token, key, clientID, clientSecret
  }

  /// The kind.
  public var kind: Kind
  /// The responses that mean that the token is no longer valid. Unless one of them has the status 401, every 401 does.
  public var rejections: [Rejection]
  /// The request that returns the authenticated user.
  public var identity: Call?
  /// The fields of its response that are shown; all if empty.
  public var identityFields: [String]

  /// A scheme.
  public init(_ kind: Kind, rejections: [Rejection] = [], identity: Call? = nil, identityFields: [String] = []) {
    self.kind = kind
    self.rejections = rejections
    self.identity = identity
    self.identityFields = identityFields
  }

  /// Facts of each kind: its written name, the credentials that the user has to provide, and those of them that each
  /// request carries, in words.
  private var facts: (name: String, needs: [Credential], sent: String?) {
    switch kind {
    case .basic: ("basic", [.username, .password], "user name and password")
    case .digest: ("digest", [.username, .password], "a digest of user name and password")
    case .bearer: ("bearer", [.token], "a token")
    case .key: ("key", [.key], "a key")
    case .login: ("login", [.username, .password], nil)
    case .oauth2(let oauth2): ("oauth2", oauth2.needs, nil)
    }
  }

  /// The name of the kind.
  public var kindName: String { facts.name }

  /// The credentials that the user has to provide.
  public var needs: [Credential] { facts.needs }

  /// The credentials that the user may provide.
  public var takes: [Credential] {
    guard case .oauth2 = kind else { return needs }
    return needs + [.clientID, .clientSecret].filter { !needs.contains($0) }
  }

  /// True if a person logs in, in a browser: there is neither a name nor a password to give.
  public var isByPerson: Bool { if case .oauth2(let oauth2) = kind { oauth2.grant.isByPerson } else { false } }

  /// The secret that a person can give to log in; nil if there is none.
  public var typed: Credential? { needs.last { [.password, .token, .key].contains($0) } }

  /// The place of the credentials in a request.
  public var place: Place {
    switch kind {
    case .basic: .header("Authorization", prefix: "Basic")
    case .digest: .header("Authorization", prefix: "Digest")
    case .bearer(let prefix): .header("Authorization", prefix: prefix)
    case .key(let place): place
    case .login(let login): login.place
    case .oauth2: .bearer
    }
  }

  /// The user's own credentials that each request carries, in words; nil if a login exchanges them for a token.
  public var sentAlways: String? { facts.sent }

  /// The scheme in words.
  public var summary: String {
    switch kind {
    case .basic, .digest, .bearer, .key: "\(sentAlways ?? "") with every request"
    case .login: "a login with user name and password that returns a token"
    case .oauth2(let oauth2): "OAuth 2, \(oauth2.grant.words)"
    }
  }

  /// The reason why login by name and password is impossible, as a sentence; nil if it is possible.
  public var reasonAgainstLogin: String? {
    if let sentAlways { return "this backend sends \(sentAlways) with every request; there is nothing to log in to" }
    if case .oauth2(let oauth2) = kind, oauth2.grant == .clientCredentials {
      return "this backend logs in automatically, with the client ID and the client secret of the configuration"
    }
    return nil
  }
}

extension LoginScheme {
  /// A request of the scheme.
  public struct Call: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The path below the base address.
    public var path: RequestPath
    /// The query.
    public var query: [String: String]
    /// The body; nil for none.
    public var body: Body?

    /// A request.
    public init(_ method: String, _ path: RequestPath, query: [String: String] = [:], body: Body? = nil) {
      self.method = method
      self.path = path
      self.query = query
      self.body = body
    }
  }

  /// A body, in which the texts of ``placeholders`` are replaced when it is sent.
  public enum Body: Sendable, Hashable {
    case form(Object)
    case json(Object)

    /// True if it contains the token against forged requests.
    public var holdsCSRFToken: Bool {
      switch self {
      case .form(let fields), .json(let fields): JSONWriter.compact(.object(fields)).contains(text: "\"$csrf\"")
      }
    }

    /// The placeholders, each a whole value.
    public static let placeholders = ["$username", "$password", "$token", "$refreshToken", "$csrf"]
  }
}
