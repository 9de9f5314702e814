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
}
