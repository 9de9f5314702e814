import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicLoginTests {
  @Test func `The login is declared as data: a form, a bearer token, and the words of a rejected one`() throws {
    let scheme = try #require(try PluginLibrary("baasic").plugin.login)
    guard case .login(let login) = scheme.kind else {
      Issue.record("the login is another one: \(scheme.summary)")
      return
    }
    let form = Object([("grant_type", "password"), ("username", "$username"), ("password", "$password")])
    #expect(login.request == LoginScheme.Call("POST", try RequestPath("login"), body: .form(form)))
    let response = login.response
    #expect(
      [response.token, response.expiresIn, response.slidingWindow].map { $0?.text } == [
        "access_token", "expires_in", "sliding_window",
      ])
    #expect(login.place == .header("Authorization", prefix: "bearer") && login.refresh == nil)
    #expect(scheme.rejections == ["invalid_token", "Missing or invalid session"])
    let logout = Object([("token", "$token"), ("type", "bearer")])
    #expect(login.logout == LoginScheme.Call("DELETE", try RequestPath("login"), body: .json(logout)))
    #expect(scheme.identity?.method == "GET")
    #expect(scheme.identityFields == ["userName", "displayName", "email", "roles", "permissions"])
  }
}
