/// Names of header fields and parameters that no description and no program sets: they would make another request of the one that
/// was checked, send it as somebody else, or follow from its address and body.
public enum ReservedName {
  /// By these fields and parameters a server takes another method, or another path, than those of the request.
  private static let overriding: Set<String> = [
    "xhttpmethod", "xoriginalmethod", "xforwardedmethod", "xoriginalurl", "xoriginaluri", "xrewriteurl", "xrewriteuri",
    "xforwardeduri",
  ]
  /// The same of header fields only: a parameter of such a name may be a condition on a field.
  private static let overridingFields: Set<String> = ["xmethod", "httpmethod"]
  /// Parts of such names.
  private static let overridingParts = ["methodoverride", "overridemethod"]
  /// Those of a message or of a connection.
  private static let following: Set<String> = [
    "host", "contentlength", "transferencoding", "connection", "proxyconnection", "keepalive", "upgrade", "te",
    "trailer", "http2settings",
  ]
  /// Header fields with credentials, or with the name of a user.
  private static let credentials: Set<String> = [
    "cookie", "cookie2", "setcookie", "setcookie2", "auth", "xauth", "key", "xkey", "session", "xsession", "sudo",
    "xsudo", "runas", "xrunas",
  ]
  /// Parts of their names.
  private static let credentialParts = [
    "authorization", "apikey", "authkey", "authtoken", "accesstoken", "sessiontoken", "privatetoken", "securitytoken",
    "subscriptionkey", "functionskey", "accesskey", "privatekey", "applicationkey", "appkey", "masterkey", "clientkey",
    "secret", "password", "credential", "jwt", "sessionid", "remoteuser", "forwardeduser", "forwardedemail",
    "forwardedpreferredusername", "authuser", "authrequest", "authenticateduser", "webauthuser", "clientcert",
    "impersonat", "switchuser", "onbehalfof",
  ]
  /// The endings of names in "token" that are no credentials: against forged requests, of pages, and of one request.
  private static let harmlessTokens = [
    "csrftoken", "xsrftoken", "atlassiantoken", "verificationtoken", "pagetoken", "nexttoken", "continuationtoken",
    "idempotencytoken", "concurrencytoken",
  ]

  /// Why a header field is not set by a description or a program, as a clause; nil if it may be.
  public static func problem(ofHeader name: String) -> String? {
    problem(ofKeyHeader: name) ?? (isCredential(plain(name)) ? "credentials belong in the login settings" : nil)
  }

  /// Why a header field cannot carry the key or the token of a login, as a clause; nil if it can.
  public static func problem(ofKeyHeader name: String) -> String? {
    let plain = plain(name)
    if isOverriding(plain, isField: true) { return "it would turn this into a different request" }
    return following.contains(plain) ? "it is derived from the address and body of a request" : nil
  }

  /// Why a parameter is not set by a description or a program, as a clause; nil if it may be.
  public static func problem(ofParameter name: String) -> String? {
    let plain = plain(name)
    return isOverriding(plain, isField: false) || plain == "method" && name.hasPrefix("_")
      ? "it would turn this into a different request" : nil
  }

  /// Returns whether a request has a header field or a parameter that makes a server use another method or path than
  /// the request's own.
  public static func overrides(_ request: HTTPRequest) -> Bool {
    request.headers.contains { isOverriding(plain($0.0), isField: true) }
      || request.query.contains { problem(ofParameter: $0.0) != nil }
  }

  private static func isOverriding(_ plain: String, isField: Bool) -> Bool {
    overriding.contains(plain) || isField && overridingFields.contains(plain)
      || overridingParts.contains { plain.contains(text: $0) }
  }

  private static func isCredential(_ plain: String) -> Bool {
    if credentials.contains(plain) || credentialParts.contains(where: { plain.contains(text: $0) }) { return true }
    return plain.hasSuffix("token") && !harmlessTokens.contains { plain.hasSuffix($0) }
  }

  /// A name as servers compare it: some take "-" and "_" for one character.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}
