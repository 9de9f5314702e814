extension LoginReader {
  func oauth2() throws(LoginScheme.Mistake) -> LoginScheme.OAuth2 {
    let grant = try choice("grant", or: LoginScheme.OAuth2.Grant.clientCredentials)
    let client: LoginScheme.OAuth2.ClientAuthentication =
      object["clientAuthentication"] == nil ? .header : try choice("clientAuthentication", or: .header)
    let oauth2 = LoginScheme.OAuth2(
      grant, tokenURL: try endpoint("tokenURL"), scope: try text("scope"), parameters: try pairs("parameters"),
      clientAuthentication: client, revocationURL: try endpoint("revocationURL"),
      authorizationURL: try endpoint("authorizationURL"),
      deviceURL: try endpoint("deviceURL"), issuer: try endpoint("issuer"))
    try checkEndpoints(of: oauth2)
    if let name = oauth2.parameters.keys.sorted().first(where: Self.ownParameters.contains), grant.isByPerson {
      throw mistake("the login sets \(name) itself", at: "parameters", hint: "leave it out")
    }
    return oauth2
  }

  /// The parameters of a person's login that protect it, or that have keys of their own.
  private static let ownParameters: Set<String> = [
    "client_id", "code_challenge", "code_challenge_method", "redirect_uri", "response_mode", "response_type", "scope",
    "state",
  ]

  /// Refuses a grant without the endpoints that it needs, if no issuer publishes them.
  private func checkEndpoints(of oauth2: LoginScheme.OAuth2) throws(LoginScheme.Mistake) {
    guard let issuer = oauth2.issuer else {
      func require(_ name: String, _ example: String) throws(LoginScheme.Mistake) {
        guard object[name] == nil else { return }
        let more = oauth2.grant.isByPerson ? ", or the \"issuer\" that publishes it" : ""
        throw mistake("\"\(name)\" is missing", hint: "for example \"\(name)\": \"\(example)\"\(more)")
      }
      try require("tokenURL", "/oauth/token")
      if oauth2.grant == .authorizationCode { try require("authorizationURL", "/oauth/authorize") }
      if oauth2.grant == .device { try require("deviceURL", "/oauth/device") }
      return
    }
    guard issuer.contains(text: "://") else {
      throw mistake("an issuer is an address", at: "issuer", hint: "for example https://login.example.org")
    }
  }

  private func endpoint(_ name: String) throws(LoginScheme.Mistake) -> String? {
    guard let address = try text(name) else { return nil }
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !address.contains("?"), !address.contains("#") else {
      throw mistake("an address of an endpoint has no query, no fragment and no spaces", at: name, hint: nil)
    }
    return address
  }
}
