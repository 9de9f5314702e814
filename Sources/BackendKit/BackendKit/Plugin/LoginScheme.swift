/// How a service logs in, as data. The transport runs it: an adapter sees neither password nor token.
///
/// - Law login requests: the requests by which a plugin logs in and out have methods that may change something, and the one
///   that tells who is logged in has one that reads.
public struct LoginScheme: Sendable, Hashable {
  /// A request of the scheme.
  public struct Call: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The path below the base address.
    public var path: RequestPath
    /// The query.
    public var query: [String: String]

    /// A request.
    public init(_ method: String, _ path: RequestPath, query: [String: String] = [:]) {
      self.method = method
      self.path = path
      self.query = query
    }
  }

  /// The request that logs in. Its body is a form: the constants, then user name and password.
  public var login: Call
  /// Form fields that are always sent, for example `grant_type`.
  public var constants: [String: String]
  /// The form field of the user name.
  public var userField: String
  /// The form field of the password.
  public var passwordField: String
  /// The field of the answer that holds the token.
  public var tokenField: String
  /// The field that tells in how many seconds the token expires.
  public var expiryField: String
  /// The field that tells how many seconds the token lives after each call, where expiry slides.
  public var slidingField: String
  /// What stands before the token in the Authorization header.
  public var tokenPrefix: String
  /// Texts in the answer to a 401, in body or `WWW-Authenticate`, that say the token is no longer good.
  public var rejections: [String]
  /// The request that logs out; its JSON body holds the token as `token` and its kind as `type`.
  public var logout: Call?
  /// The request that tells who is logged in.
  public var identity: Call?
  /// The fields of that answer to show.
  public var identityFields: [String]

  /// A scheme.
  public init(
    login: Call, constants: [String: String] = [:], userField: String = "username",
    passwordField: String = "password", tokenField: String = "access_token", expiryField: String = "expires_in",
    slidingField: String = "sliding_window", tokenPrefix: String = "bearer", rejections: [String] = [],
    logout: Call? = nil, identity: Call? = nil, identityFields: [String] = []
  ) {
    self.login = login
    self.constants = constants
    self.userField = userField
    self.passwordField = passwordField
    self.tokenField = tokenField
    self.expiryField = expiryField
    self.slidingField = slidingField
    self.tokenPrefix = tokenPrefix
    self.rejections = rejections
    self.logout = logout
    self.identity = identity
    self.identityFields = identityFields
  }
}
