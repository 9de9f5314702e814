import BackendKit

/// Logging in by form for a bearer token, which expires after a time or, where the service is set so, slides.
///
/// Nil only if the path of one plain word could not be made.
let loginScheme: LoginScheme? = {
  guard let path = try? RequestPath("login") else { return nil }
  let form: Object = Object([("grant_type", "password"), ("username", "$username"), ("password", "$password")])
  return LoginScheme(
    .login(
      LoginScheme.TokenLogin(
        LoginScheme.Call("POST", path, body: .form(form)),
        response: LoginScheme.TokenResponse(slidingWindow: "sliding_window", refreshToken: nil),
        place: .header("Authorization", prefix: "bearer"),
        logout: LoginScheme.Call("DELETE", path, body: .json(Object([("token", "$token"), ("type", "bearer")]))))),
    rejections: ["invalid_token", "Missing or invalid session"], identity: LoginScheme.Call("GET", path),
    identityFields: ["userName", "displayName", "email", "roles", "permissions"])
}()
