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
  /// A login by a request of the service.
  public struct TokenLogin: Sendable, Hashable {
    /// The request that logs in; its body has `$username` and `$password`, and possibly `$csrf`.
    public var request: Call
    /// The paths to the token and its lifetime in the response.
    public var response: TokenResponse
    /// The place of the token in a request.
    public var place: Place
    /// The request that exchanges the `$refreshToken` for another token; nil if there is none.
    public var refresh: Call?
    /// The request that logs out; its body may have `$token` and `$refreshToken`.
    public var logout: Call?
    /// The token against forged requests that the service requires; nil for none.
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

  /// A token against forged requests (CSRF), sent with a login and with each later write.
  public struct CSRFToken: Sendable, Hashable {
    /// The place where the service provides the token.
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
    /// The header field in which writes send it; nil if only the body of the login has it, as `$csrf`.
    public var header: String?
    /// Texts in the body of a 400, 403, 419 or 422 that mean that the token is no longer valid; if empty, `CSRF` in
    /// that of a 403 or 419 does.
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

  /// The paths to the token and its lifetime in the response to a login; by default as in RFC 6749.
  public struct TokenResponse: Sendable, Hashable {
    /// The token; nil if the response sets it as a cookie.
    public var token: FieldPath?
    /// The lifetime of the token in seconds.
    public var expiresIn: FieldPath?
    /// The expiry of the token: a date of ISO 8601, or seconds since 1970.
    public var expiresAt: FieldPath?
    /// The lifetime in seconds after each request, if requests extend it.
    public var slidingWindow: FieldPath?
    /// The refresh token, which can be exchanged for another token.
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

  /// A token of an OAuth 2 server. A refresh token is used once the token has expired; if it is refused, the grant is
  /// requested again, unless a person has to log in.
  public struct OAuth2: Sendable, Hashable {
    /// The grants.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
      case clientCredentials, password
      /// A person logs in in a browser, which leads back to this machine (RFC 8252), with PKCE (RFC 7636).
      case authorizationCode
      /// A person types a code in the browser of any device (RFC 8628).
      case device

      /// True if a person logs in.
      public var isByPerson: Bool { self == .authorizationCode || self == .device }

      /// The grant in words.
      fileprivate var words: String {
        switch self {
        case .clientCredentials: "client credentials"
        case .password: "password"
        case .authorizationCode: "a login in the browser"
        case .device: "a login with a code on another device"
        }
      }
    }
    /// The way the client authenticates: by HTTP Basic, or in the form.
    public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable { case header, body }

    /// The grant.
    public var grant: Grant
    /// The token endpoint: a path below the backend's address, one from the root of its server if it begins with a
    /// slash, or an address. Another server is accepted only in the user's configuration. Nil leaves it to the issuer.
    public var tokenURL: String?
    /// The revocation endpoint (RFC 7009), in the form of the token endpoint, to which a logout sends the token; nil if
    /// there is none.
    public var revocationURL: String?
    /// The address that a person's browser opens to log in, in the form of the token endpoint.
    public var authorizationURL: String?
    /// The endpoint that gives codes for other devices (RFC 8628), in the form of the token endpoint.
    public var deviceURL: String?
    /// The identifier of the server, an address, below which it publishes the endpoints that are not given (RFC 8414).
    public var issuer: String?
    /// The requested scope; nil leaves it to the server.
    public var scope: String?
    /// Further fields of the form, for example `audience`; if a person logs in, of the request that begins the login.
    public var parameters: [String: String]
    /// The way the client authenticates.
    public var clientAuthentication: ClientAuthentication

    /// A token endpoint and how it is asked.
    public init(
      _ grant: Grant, tokenURL: String? = nil, scope: String? = nil, parameters: [String: String] = [:],
      clientAuthentication: ClientAuthentication = .header, revocationURL: String? = nil,
      authorizationURL: String? = nil, deviceURL: String? = nil, issuer: String? = nil
    ) {
      self.grant = grant
      self.tokenURL = tokenURL
      self.scope = scope
      self.parameters = parameters
      self.clientAuthentication = clientAuthentication
      self.revocationURL = revocationURL
      self.authorizationURL = authorizationURL
      self.deviceURL = deviceURL
      self.issuer = issuer
    }

    /// The endpoints with addresses of their own, each with its written name.
    public var namedServers: [(key: String, address: String)] {
      let all = [
        ("issuer", issuer), ("tokenURL", tokenURL), ("revocationURL", revocationURL),
        ("authorizationURL", authorizationURL), ("deviceURL", deviceURL),
      ]
      return all.compactMap { key, address in address.flatMap { $0.contains(text: "://") ? (key, $0) : nil } }
    }

    /// The credentials that the user has to provide. A client that people install has no secret.
    fileprivate var needs: [Credential] {
      switch grant {
      case .clientCredentials: [.clientID, .clientSecret]
      case .password: [.username, .password]
      case .authorizationCode, .device: [.clientID]
      }
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
