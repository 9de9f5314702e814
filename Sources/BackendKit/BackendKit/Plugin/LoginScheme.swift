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
    /// A digest of user name and password with every request, as the server asks for it (RFC 7616): by SHA-256 or MD5.
    case digest
    /// A token of the user's in `Authorization` with every request (RFC 6750); an empty prefix sends the bare token.
    case bearer(prefix: String = "Bearer")
    /// A key of the user's with every request.
    case key(Place)
    /// A request that takes user name and password and gives a token, which is sent from then on.
    case login(TokenLogin)
    /// A token of an OAuth 2 server (RFC 6749), which is sent as a bearer token.
    case oauth2(OAuth2)
  }

  /// The place of a token or a key in a request.
  public enum Place: Sendable, Hashable {
    /// In a header field, after a prefix and a space; without them where the prefix is empty.
    case header(String, prefix: String = "")
    /// In a parameter of the query.
    case query(String)
    /// In a cookie, with the others that the login has set.
    case cookie(String)

    /// As RFC 6750 has it.
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

  /// A credential that the user gives, by its name in the configuration.
  public enum Credential: String, Sendable, Hashable, CaseIterable {
    case username, password, token, key, clientID, clientSecret
  }

  /// The kind.
  public var kind: Kind
  /// Texts in the response to a 401, in body or `WWW-Authenticate`, that say that the token is no longer good; where there
  /// are none, every 401 says so.
  public var rejections: [String]
  /// The request that tells who is logged in.
  public var identity: Call?
  /// The fields of the response to it that are shown; all where there are none.
  public var identityFields: [String]

  /// A scheme.
  public init(_ kind: Kind, rejections: [String] = [], identity: Call? = nil, identityFields: [String] = []) {
    self.kind = kind
    self.rejections = rejections
    self.identity = identity
    self.identityFields = identityFields
  }

  /// The kinds: the name under which each is written down, the credentials that the user has to give, and those of them that
  /// each request carries, in words.
  private var facts: (name: String, needs: [Credential], sent: String?) {
    switch kind {
    case .basic: ("basic", [.username, .password], "user name and password")
    case .digest: ("digest", [.username, .password], "a digest of user name and password")
    case .bearer: ("bearer", [.token], "a token")
    case .key: ("key", [.key], "a key")
    case .login: ("login", [.username, .password], nil)
    case .oauth2(let oauth2):
      ("oauth2", oauth2.grant == .password ? [.username, .password] : [.clientID, .clientSecret], nil)
    }
  }

  /// The name of the kind.
  public var kindName: String { facts.name }

  /// The credentials that the user has to give.
  public var needs: [Credential] { facts.needs }

  /// The credentials that the user may give.
  public var takes: [Credential] {
    if case .oauth2 = kind { return needs.contains(.clientID) ? needs : needs + [.clientID, .clientSecret] }
    return needs
  }

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
    case .oauth2(let oauth2): "OAuth 2, \(oauth2.grant == .password ? "password" : "client credentials")"
    }
  }

  /// Why nobody can log in by name and password, as a sentence; nil where somebody can.
  public var reasonAgainstLogin: String? {
    if let sentAlways { return "this backend sends \(sentAlways) with every request; there is nothing to log in to" }
    if case .oauth2(let oauth2) = kind, oauth2.grant == .clientCredentials {
      return "this backend logs in automatically, with the client ID and the client secret of the configuration"
    }
    return nil
  }
}

extension LoginScheme {
  /// A login by a request of the service's own.
  public struct TokenLogin: Sendable, Hashable {
    /// The request that logs in; its body holds `$username` and `$password`, and perhaps `$csrf`.
    public var request: Call
    /// The paths to the token and its lifetime in the response.
    public var response: TokenResponse
    /// The place of the token in a request.
    public var place: Place
    /// The request that gives another token for the `$refreshToken`; nil where there is none.
    public var refresh: Call?
    /// The request that logs out; its body may hold `$token` and `$refreshToken`.
    public var logout: Call?
    /// The token against forged requests that the service wants to see; nil for none.
    public var csrf: CSRFToken?

    /// A login.
    public init(
      _ request: Call, response: TokenResponse = TokenResponse(), place: Place = .bearer, refresh: Call? = nil,
      logout: Call? = nil, csrf: CSRFToken? = nil
    ) {
      self.request = request
      self.response = response
      self.place = place
      self.refresh = refresh
      self.logout = logout
      self.csrf = csrf
    }
  }

  /// A token against forged requests, which goes with a login and with each write after it.
  public struct CSRFToken: Sendable, Hashable {
    /// The place at which the service gives the token.
    public enum Source: Sendable, Hashable {
      /// A cookie that it sets.
      case cookie(String)
      /// An `input` or `meta` element of a page.
      case field(String)
      /// A member of a JSON document.
      case member(FieldPath)
    }

    /// The place of the token in a response.
    public var source: Source
    /// The request whose response has it; nil for the response to the login.
    public var request: Call?
    /// The header field in which writes send it; nil where the body of the login alone has it, as `$csrf`.
    public var header: String?
    /// Texts in the body of a 400, 403, 419 or 422 that say that the token is no longer good; where there are none, `CSRF`
    /// in that of a 403 or 419 says so.
    public var rejections: [String]

    /// A token.
    public init(
      _ source: Source, from request: Call? = nil, header: String? = nil, rejections: [String] = []
    ) {
      self.source = source
      self.request = request
      self.header = header
      self.rejections = rejections
    }
  }

  /// The paths to the token and its lifetime in the response to a login; by default as RFC 6749 names them.
  public struct TokenResponse: Sendable, Hashable {
    /// The token; nil where the response sets it as a cookie.
    public var token: FieldPath?
    /// In how many seconds the token expires.
    public var expiresIn: FieldPath?
    /// When the token expires: a date of ISO 8601, or seconds since 1970.
    public var expiresAt: FieldPath?
    /// The number of seconds that the token lives after each request, if each request extends its life.
    public var slidingWindow: FieldPath?
    /// The refresh token, for which another token is given.
    public var refreshToken: FieldPath?

    /// The places.
    public init(
      token: String? = "access_token", expiresIn: String? = "expires_in", expiresAt: String? = nil,
      slidingWindow: String? = nil, refreshToken: String? = "refresh_token"
    ) {
      self.token = token.map(FieldPath.init)
      self.expiresIn = expiresIn.map(FieldPath.init)
      self.expiresAt = expiresAt.map(FieldPath.init)
      self.slidingWindow = slidingWindow.map(FieldPath.init)
      self.refreshToken = refreshToken.map(FieldPath.init)
    }
  }

  /// A token of an OAuth 2 server. A refresh token that it gives is used once the token has expired; where that is refused,
  /// the grant is asked for again.
  public struct OAuth2: Sendable, Hashable {
    /// The grants that need nobody at a browser.
    public enum Grant: String, Sendable, Hashable, CaseIterable { case clientCredentials, password }
    /// The way the client authenticates: by HTTP Basic, or in the form.
    public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable { case header, body }

    /// The grant.
    public var grant: Grant
    /// The token endpoint: a path below the backend's address, one from the root of its server where it begins with a slash,
    /// or an address. One of another server counts only in the user's configuration.
    public var tokenURL: String
    /// The revocation endpoint (RFC 7009), written as the token endpoint is, to which a logout gives the token; nil
    /// where there is none.
    public var revocationURL: String?
    /// The scope that is asked for; nil leaves it to the server.
    public var scope: String?
    /// Further fields of the form, for example `audience`.
    public var parameters: [String: String]
    /// The way the client authenticates.
    public var clientAuthentication: ClientAuthentication

    /// A token endpoint and how it is asked.
    public init(
      _ grant: Grant, tokenURL: String, scope: String? = nil, parameters: [String: String] = [:],
      clientAuthentication: ClientAuthentication = .header, revocationURL: String? = nil
    ) {
      self.grant = grant
      self.tokenURL = tokenURL
      self.scope = scope
      self.parameters = parameters
      self.clientAuthentication = clientAuthentication
      self.revocationURL = revocationURL
    }

    /// The endpoints that are given by an address of their own, each with the name under which a scheme is written down.
    public var namedServers: [(key: String, address: String)] {
      [("tokenURL", tokenURL), ("revocationURL", revocationURL ?? "")].filter { $0.1.contains(text: "://") }
    }
  }

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

  /// A body, in which the texts of ``placeholders`` stand for what is known only when it is sent.
  public enum Body: Sendable, Hashable {
    case form(Object)
    case json(Object)

    /// True if it holds the token against forged requests.
    public var holdsCSRFToken: Bool {
      switch self {
      case .form(let fields), .json(let fields): JSONWriter.compact(.object(fields)).contains(text: "\"$csrf\"")
      }
    }

    /// The texts that stand for something, each as a whole value.
    public static let placeholders = ["$username", "$password", "$token", "$refreshToken", "$csrf"]
  }
}
