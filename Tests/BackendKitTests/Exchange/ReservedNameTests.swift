import BackendKit
import Testing

@Suite("Reserved names") struct ReservedNameTests {
  @Test(
    "header fields with credentials, or with the name of a user, belong to the login",
    arguments: [
      "Authorization", "Cookie", "Cookie2", "Set-Cookie", "Token", "X-Token", "X-Vault-Token", "X-Plex-Token",
      "X-Gitlab-Token", "X_Auth_Token", "X-Auth", "X-JWT", "X-JWT-Assertion", "X-Session-ID", "X-WebAuth-User",
      "Remote-User", "X-Forwarded-User", "X-Forwarded-Email", "X-Auth-Request-User", "Impersonate-User",
      "Impersonate-Group", "X-Redmine-Switch-User", "Sudo", "DD-APPLICATION-KEY", "X-Key", "X-Api-Key", "Api_Key",
      "X-Client-Cert",
    ])
  func credentials(name: String) {
    #expect(ReservedName.problem(ofHeader: name) == "credentials belong in the login settings")
    #expect(ReservedName.problem(ofKeyHeader: name) == nil)
  }

  @Test(
    "those that make another request of one, or follow from it, carry no key either",
    arguments: [
      "X-HTTP-Method-Override", "X-HTTP-Method-Overrides", "x_http_method", "X-Method", "HTTP-Method",
      "Method-Override",
      "X-Override-Method", "X-Original-URL", "X-Rewrite-Url", "Host", "Connection", "Proxy-Connection", "Keep-Alive",
      "Upgrade", "TE", "Trailer", "Transfer-Encoding", "Content-Length",
    ])
  func requests(name: String) {
    #expect(ReservedName.problem(ofHeader: name) != nil)
    #expect(ReservedName.problem(ofKeyHeader: name) != nil)
  }

  @Test(
    "others may be described",
    arguments: [
      "Accept", "X-Cookie-Consent", "X-CSRF-Token", "X-XSRF-TOKEN", "X-Atlassian-Token", "X-Next-Token", "X-Author",
      "Idempotency-Key", "If-Match", "X-Sudoku", "X-Request-ID", "X-Tokens-Left", "Range", "Prefer", "X-Context",
    ])
  func others(name: String) {
    #expect(ReservedName.problem(ofHeader: name) == nil)
  }

  @Test("a parameter may be a condition on a method, but not override that of the request")
  func parameters() {
    for name in ["_method", "_METHOD", "x-http-method-override", "_method_override", "methodOverride", "X-HTTP-Method"]
    {
      #expect(ReservedName.problem(ofParameter: name) != nil, "\(name)")
    }
    for name in ["method", "http_method", "token", "method_of_payment"] {
      #expect(ReservedName.problem(ofParameter: name) == nil, "\(name)")
    }
  }
}
