import BackendKit
import BackendTransport

/// A login in a browser on this machine: the authorization code grant with PKCE (RFC 6749, RFC 7636, RFC 8252).
struct BrowserLogin {
  let oauth2: LoginScheme.OAuth2
  let endpoints: OAuth2Endpoints
  /// The credentials of the client.
  let values: [LoginScheme.Credential: String]
  let keepSecret: @Sendable ([String]) -> Void

  /// Returns the response of the token endpoint after the person has logged in.
  func answer(_ show: @Sendable (SignIn.Step) -> Void) async throws(BackendError) -> HTTPResponse {
    let (key, state) = (ProofKey(), RandomText.make())
    keepSecret([key.verifier])
    let listener = try RedirectListener()
    let redirect = "http://127.0.0.1:\(listener.port)\(RedirectRequest.path)"
    let address = try await endpoints.authorizationAddress(
      [
        ("response_type", "code"), ("client_id", values[.clientID] ?? ""), ("redirect_uri", redirect), ("state", state),
        ("code_challenge", key.challenge), ("code_challenge_method", "S256"),
      ] + oauth2.beginning)
    show(.browser(address: address, port: listener.port))
    let query = try await listener.answer(state: state)
    let place = address.prefix { $0 != "?" }
    guard endpoints.isIssuer(query["iss"]) else {
      throw BackendError(
        .unauthorized, "the browser came back from another server than \(oauth2.issuer ?? "")", effect: .rejected,
        hint: "log in again; nothing was sent with its code")
    }
    if let code = query["code"], Token.isUsable(code), query["error"] == nil {
      keepSecret([code])
      return try await endpoints.required(.token).deliver(
        [
          ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
          ("code_verifier", key.verifier),
        ], values)
    }
    let words = query["error_description"] ?? query["error"] ?? "no code"
    throw BackendError(
      .unauthorized,
      query["error"] == "access_denied"
        ? "the login was denied at \(place)"
        : "\(place) refuses the login: \(BackendError.quoted(words) ?? "no reason")",
      effect: .rejected, hint: "log in again, or check client ID and scope")
  }
}
