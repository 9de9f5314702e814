extension LoginScheme {
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
      var words: String {
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
    var needs: [Credential] {
      switch grant {
      case .clientCredentials: [.clientID, .clientSecret]
      case .password: [.username, .password]
      case .authorizationCode, .device: [.clientID]
      }
    }
  }
}
