/// Names of header fields and parameters that descriptions and programs may not set: they would change the checked
/// request or its sender, or follow from its address and body.
public enum ReservedName {
  /// Header fields and parameters by which a server overrides the method or path of a request.
  private static let overriding: Set<String> = [
    "xhttpmethod", "xoriginalmethod", "xforwardedmethod", "xoriginalurl", "xoriginaluri", "xrewriteurl", "xrewriteuri",
    "xforwardeduri",
  ]
  /// Header fields only: a parameter of such a name may be a condition on a field.
  private static let overridingFields: Set<String> = ["xmethod", "httpmethod"]
  /// Parts of such names.
  private static let overridingParts = ["methodoverride", "overridemethod"]
  /// Header fields of a message or connection.
  private static let following: Set<String> = [
    "host", "contentlength", "transferencoding", "connection", "proxyconnection", "keepalive", "upgrade", "te",
    "trailer", "http2settings",
  ]
  /// Header fields with credentials or a user name.
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
  /// Endings of names in "token" that are not credentials: tokens against forged requests, of pages, and of one
  /// request.
  private static let harmlessTokens = [
    "csrftoken", "xsrftoken", "atlassiantoken", "verificationtoken", "pagetoken", "nexttoken", "continuationtoken",
    "idempotencytoken", "concurrencytoken",
  ]

  /// The reason why a description or program may not set a header field, as a clause; nil if it may.
  public static func problem(ofHeader name: String) -> String? {
    problem(ofKeyHeader: name) ?? (isCredential(plain(name)) ? "credentials belong in the login settings" : nil)
  }

  /// The reason why a header field cannot carry the key or token of a login, as a clause; nil if it can.
  public static func problem(ofKeyHeader name: String) -> String? {
    let plain = plain(name)
    if isOverriding(plain, isField: true) { return "it would turn this into a different request" }
    return following.contains(plain) ? "it is derived from the address and body of a request" : nil
  }

  /// The reason why a description or program may not set a parameter, as a clause; nil if it may.
  public static func problem(ofParameter name: String) -> String? {
    let plain = plain(name)
    return isOverriding(plain, isField: false) || plain == "method" && name.hasPrefix("_")
      ? "it would turn this into a different request" : nil
  }

  /// Returns whether a header field or parameter of a request overrides its method or path.
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
