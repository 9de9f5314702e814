import BackendKit

/// Logging in by form for a bearer token, which expires after a time or, where the service is set so, slides.
///
/// Nil only if the path of one plain word could not be made.
let loginScheme: LoginScheme? = {
  guard let path = try? RequestPath("login") else { return nil }
  return LoginScheme(
    login: LoginScheme.Call("POST", path), constants: ["grant_type": "password"],
    rejections: ["invalid_token", "Missing or invalid session"],
    logout: LoginScheme.Call("DELETE", path), identity: LoginScheme.Call("GET", path),
    identityFields: ["userName", "displayName", "email", "roles", "permissions"])
}()
