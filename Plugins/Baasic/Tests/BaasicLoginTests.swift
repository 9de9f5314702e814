import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicLoginTests {
  @Test func `The login is declared as data: a form, a bearer token, and the words of a rejected one`() throws {
    let login = try #require(try PluginLibrary("baasic").plugin.login)
    #expect(login.login.method == "POST" && login.login.path.description == "login")
    #expect(login.constants == ["grant_type": "password"])
    #expect((login.userField, login.passwordField) == ("username", "password"))
    #expect(
      (login.tokenField, login.expiryField, login.slidingField) == ("access_token", "expires_in", "sliding_window"))
    #expect(login.rejections == ["invalid_token", "Missing or invalid session"])
    #expect(login.logout?.method == "DELETE" && login.identity?.method == "GET")
    #expect(login.identityFields == ["userName", "displayName", "email", "roles", "permissions"])
  }

  @Test func `No request of the adapter carries a token, so none can reach another host or a message`() async throws {
    let written = try WrittenServer([], FixtureServer.json(200, #"{"id":"a"}"#))
    _ = try await written.backend.get("a", from: WrittenServer.todo)
    #expect(written.exchange.requests.allSatisfy { $0.header("Authorization") == nil })
  }
}
