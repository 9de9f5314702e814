/// Names of header fields and parameters that no description and no program sets: they would make another request of the one that
/// was checked, send it as somebody else, or follow from its address and body.
public enum ReservedName {
  /// By these a server takes another method, or another path, than those of the request.
  private static let overriding: Set<String> = [
    "xhttpmethodoverride", "xhttpmethod", "xmethodoverride", "xoriginalmethod", "xforwardedmethod", "xoriginalurl",
    "xrewriteurl", "xforwardeduri",
  ]
  private static let following: Set<String> = ["host", "contentlength", "transferencoding", "connection"]
  /// Parts of names of header fields with credentials.
  private static let credentials = [
    "authorization", "cookie", "apikey", "authkey", "authtoken", "accesstoken", "sessiontoken", "privatetoken",
    "securitytoken", "subscriptionkey", "functionskey", "accesskey", "privatekey", "secret", "password", "credential",
    "remoteuser", "forwardeduser",
  ]

  /// Why a header field is not set by a description or a program, as a clause; nil if it may be.
  public static func problem(ofHeader name: String) -> String? {
    let plain = plain(name)
    if overriding.contains(plain) { return "it would make another request of this one" }
    if following.contains(plain) { return "it follows from the address and the body of a request" }
    return credentials.contains { plain.contains(text: $0) } ? "credentials belong to the login" : nil
  }

  /// Why a parameter is not set by a description or a program, as a clause; nil if it may be.
  public static func problem(ofParameter name: String) -> String? {
    let plain = plain(name)
    return overriding.contains(plain) || plain == "method" && name.hasPrefix("_")
      ? "it would make another request of this one" : nil
  }

  /// Whether a request has a field or a parameter by which a server takes another method, or another path, than its own.
  public static func overrides(_ request: HTTPRequest) -> Bool {
    request.headers.contains { overriding.contains(plain($0.0)) }
      || request.query.contains { problem(ofParameter: $0.0) != nil }
  }

  /// A name as servers compare it: some take "-" and "_" for one character.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}
