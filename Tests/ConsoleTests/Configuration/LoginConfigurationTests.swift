import BackendKit
import TestSupport
import Testing

@testable import ConsoleSetup

/// Logins to a server, as a configuration describes them.
@Suite struct LoginConfigurationTests {
  private static func path(_ name: String) throws -> RequestPath { try RequestPath(name) }

  @Test(arguments: [
    (#"{"kind": "basic"}"#, LoginScheme(.basic)),
    (#"{"kind": "digest"}"#, LoginScheme(.digest)),
    (#"{"kind": "bearer"}"#, LoginScheme(.bearer(prefix: "Bearer"))),
    (
      #"{"kind": "bearer", "prefix": "", "rejections": ["expired"]}"#,
      LoginScheme(.bearer(prefix: ""), rejections: ["expired"])
    ),
    (
      #"{"kind": "basic", "rejections": [{"status": 498}, {"text": "old"}, {"status": [400, 403], "member": "error.code", "text": "190"}]}"#,
      LoginScheme(.basic, rejections: [.init([498]), "old", .init([400, 403], text: "190", member: "error.code")])
    ),
    (#"{"kind": "key", "header": "X-Api-Key"}"#, LoginScheme(.key(.header("X-Api-Key")))),
    (
      #"{"kind": "key", "header": "Authorization", "prefix": "Key"}"#,
      LoginScheme(.key(.header("Authorization", prefix: "Key")))
    ),
    (#"{"kind": "key", "query": "api_key"}"#, LoginScheme(.key(.query("api_key")))),
    (#"{"kind": "key", "cookie": "sid"}"#, LoginScheme(.key(.cookie("sid")))),
    (
      #"{"kind": "oauth2", "grant": "clientCredentials", "tokenURL": "/oauth/token", "scope": "a b"}"#,
      LoginScheme(.oauth2(.init(.clientCredentials, tokenURL: "/oauth/token", scope: "a b")))
    ),
    (
      #"{"kind": "oauth2", "grant": "password", "tokenURL": "https://id.example.org/token", "parameters": {"audience": "x"}, "clientAuthentication": "body"}"#,
      LoginScheme(
        .oauth2(
          .init(
            .password, tokenURL: "https://id.example.org/token", parameters: ["audience": "x"],
            clientAuthentication: .body)))
    ),
    (
      #"{"kind": "oauth2", "grant": "authorizationCode", "issuer": "https://id.example.org/r", "parameters": {"prompt": "login"}}"#,
      LoginScheme(
        .oauth2(.init(.authorizationCode, parameters: ["prompt": "login"], issuer: "https://id.example.org/r")))
    ),
    (
      #"{"kind": "oauth2", "grant": "authorizationCode", "authorizationURL": "/authorize", "tokenURL": "/token", "deviceURL": "/device"}"#,
      LoginScheme(
        .oauth2(
          .init(.authorizationCode, tokenURL: "/token", authorizationURL: "/authorize", deviceURL: "/device")))
    ),
    (
      #"{"kind": "oauth2", "grant": "device", "deviceURL": "/device", "tokenURL": "/token", "revocationURL": "/revoke"}"#,
      LoginScheme(.oauth2(.init(.device, tokenURL: "/token", revocationURL: "/revoke", deviceURL: "/device")))
    ),
  ])
  func `Each kind is read`(_ text: String, _ expected: LoginScheme) throws {
    #expect(try ConfigurationFixture().backend("\"login\": \(text)").login == expected)
  }

  @Test func `A form login is read with its cookie and its token against forged requests`() throws {
    let backend = try ConfigurationFixture().backend(
      #"""
      "login": {"kind": "login", "request": {"path": "in/", "form": {"t": "$csrf"}}, "cookie": "sid",
        "csrf": {"path": "in/", "field": "t", "header": "X-T", "rejections": ["old"]}}
      """#)
    let page = try RequestPath("in").ending(in: "/")
    let login = LoginScheme.TokenLogin(
      .init("POST", page, body: .form(Object([("t", "$csrf")]))), response: .init(token: nil), place: .cookie("sid"),
      csrf: .init(.field("t"), from: .init("GET", page), header: "X-T", rejections: ["old"]))
    #expect(backend.login == LoginScheme(.login(login)))
  }

  @Test func `A login by a request is read with all that belongs to it`() throws {
    let backend = try ConfigurationFixture().backend(
      #"""
      "login": {"kind": "login",
        "request": {"path": "v1/session", "query": {"a": "b"}, "json": {"user": {"mail": "$username"}, "password": "$password"}},
        "response": {"token": "data.token", "expiresAt": "data.ends", "refreshToken": "data.renewal"},
        "query": "session",
        "refresh": {"path": "renewal", "form": {"by": "$refreshToken"}},
        "logout": {"path": "session", "json": {"token": "$token"}},
        "identity": {"path": "me", "fields": ["name"]}}
      """#)
    let user: Value = ["mail": "$username"]
    let login = LoginScheme.TokenLogin(
      .init(
        "POST", try RequestPath("v1", "session"), query: ["a": "b"],
        body: .json(Object([("user", user), ("password", "$password")]))),
      response: .init(token: "data.token", expiresAt: "data.ends", refreshToken: "data.renewal"),
      place: .query("session"),
      refresh: .init("POST", try RequestPath("renewal"), body: .form(Object([("by", "$refreshToken")]))),
      logout: .init("DELETE", try RequestPath("session"), body: .json(Object([("token", "$token")]))))
    #expect(
      backend.login
        == LoginScheme(.login(login), identity: .init("GET", try RequestPath("me")), identityFields: ["name"]))
  }

  @Test(arguments: [
    (#"{}"#, #"login: "kind" is missing; one of basic, digest, bearer, key, login, oauth2"#),
    (#"{"kind": "ntlm"}"#, #"login.kind: "ntlm" is not one of the choices; choices: basic"#),
    (#"{"kind": "bearer", "prefx": "x"}"#, #"login.prefx: unknown key; did you mean prefix?"#),
    (#"{"kind": "basic", "rejections": "old"}"#, "login.rejections: expected a list, not a text"),
    (#"{"kind": "basic", "rejections": [""]}"#, "login.rejections: expected an object, not a text"),
    (#"{"kind": "basic", "rejections": [{"status": 200}]}"#, "login.rejections.status: expected a status of an error"),
    (#"{"kind": "basic", "rejections": [{"status": []}]}"#, "login.rejections.status: expected a status of an error"),
    (#"{"kind": "basic", "rejections": [{}]}"#, "login.rejections: other errors have this status, too"),
    (
      #"{"kind": "basic", "rejections": [{"status": [401, 403]}]}"#,
      "login.rejections: other errors have this status, too"
    ),
    (#"{"kind": "key"}"#, #"login: "header", "query" or "cookie" is required here; for example "header": "X-Api-Key""#),
    (#"{"kind": "key", "header": "a b"}"#, "login.header: this is not a valid header name"),
    (#"{"kind": "key", "header": "Host"}"#, "login.header: Host cannot carry a key"),
    (
      #"{"kind": "key", "header": "X-HTTP-Method-Override"}"#,
      "login.header: X-HTTP-Method-Override cannot carry a key"
    ),
    (#"{"kind": "key", "query": "_method"}"#, "login.query: _method cannot carry a key"),
    (
      #"{"kind": "login", "request": {"path": "x", "method": "DELETE", "form": {}}}"#,
      #"login.request.method: "DELETE" is not one of the choices; choices: POST, GET, PUT"#
    ),
    (
      #"{"kind": "basic", "identity": {"path": "me", "method": "POST"}}"#,
      #"login.identity.method: "POST" is not one of the choices; choices: GET"#
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "query": {"_method": "PUT"}, "form": {}}}"#,
      "login.request.query._method: _method cannot be set: it would turn this into a different request"
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "json": {"_method": "PUT"}}}"#,
      "login.request.json._method: _method cannot be set"
    ),
    (#"{"kind": "key", "cookie": "x", "prefix": "y"}"#, "login.prefix: a cookie takes no prefix"),
    (#"{"kind": "key", "header": "X", "query": "x"}"#, #"login.query: "header" and "query" cannot be combined"#),
    (#"{"kind": "login"}"#, #"login: "request" is missing; for example"#),
    (
      #"{"kind": "login", "request": {"path": "x", "form": {"t": "$csrf"}}}"#,
      #"login.request: $csrf has no value without "csrf""#
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "form": {}}, "csrf": {"header": "X-T"}}"#,
      #"login.csrf: one of "cookie", "field" and "member" is required here"#
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "form": {}}, "csrf": {"field": "t"}}"#,
      #"login.csrf: "path" is missing"#
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "form": {}}, "cookie": "a;b"}"#,
      "login.cookie: this is not a valid cookie name"
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "form": {}}, "cookie": "a", "query": "b"}"#,
      #"login.cookie: "query" and "cookie" cannot be combined"#
    ),
    (
      #"{"kind": "login", "request": {"path": "x", "form": {}}, "csrf": {"cookie": "t", "header": "X-HTTP-Method"}}"#,
      "login.csrf.header: X-HTTP-Method cannot carry a key"
    ),
    (#"{"kind": "login", "request": {"path": "../x", "form": {}}}"#, "login.request.path: this is not a path below"),
    (#"{"kind": "login", "request": {"path": "x"}}"#, #"login.request: "form" or "json" is missing"#),
    (
      #"{"kind": "login", "request": {"path": "x", "json": {"a": {"b": "$user"}}}}"#,
      #"login.request.json.a.b: unknown placeholder "$user"; known placeholders: $username, $password"#
    ),
    (#"{"kind": "oauth2", "grant": "code", "tokenURL": "/t"}"#, #"login.grant: "code" is not one of the choices"#),
    (#"{"kind": "oauth2", "grant": "password"}"#, #"login: "tokenURL" is missing; for example"#),
    (
      #"{"kind": "oauth2", "grant": "authorizationCode", "tokenURL": "/t"}"#,
      #"login: "authorizationURL" is missing; for example "authorizationURL": "/oauth/authorize", or the "issuer""#
    ),
    (#"{"kind": "oauth2", "grant": "device", "tokenURL": "/t"}"#, #"login: "deviceURL" is missing; for example"#),
    (#"{"kind": "oauth2", "grant": "device", "issuer": "/t"}"#, "login.issuer: an issuer is an address; for example"),
    (
      #"{"kind": "oauth2", "grant": "device", "issuer": "http://id.example.org"}"#,
      "login.issuer: the credentials would go to another server without encryption; write an https address"
    ),
    (
      #"{"kind": "oauth2", "grant": "authorizationCode", "issuer": "https://h", "parameters": {"state": "x"}}"#,
      "login.parameters: the login sets state itself; leave it out"
    ),
    (
      #"{"kind": "oauth2", "grant": "password", "tokenURL": "http://id.example.org/t"}"#,
      "login.tokenURL: the credentials would go to another server without encryption; write an https address"
    ),
    (
      #"{"kind": "oauth2", "grant": "password", "tokenURL": "https://u:p@h/t"}"#,
      "login.tokenURL: an address cannot contain a user name or password"
    ),
  ])
  func `A mistake is reported with its place and what would be right`(_ text: String, _ expected: String) throws {
    let complaint = try ConfigurationFixture().complaint(
      backend: "\"plugin\": \"p\", \"url\": \"http://h\",\n\"login\": \(text)")
    #expect(complaint?.hasPrefix("config.json:4: backends.b.\(expected)") == true, "\(complaint ?? "")")
  }

  @Test(arguments: [
    (#"{"token": "geheim"}"#, "credentials.token: a token cannot be written in a configuration"),
    (#"{"clientID": "a", "clientSecret": "geheim"}"#, "credentials.clientSecret: a client secret cannot be written in"),
    (#"{"clientSecret": {"env": "E"}}"#, #"credentials: "clientSecret" needs a "clientID" next to it"#),
    (#"{"usrname": "a"}"#, #"credentials.usrname: unknown key; did you mean username?"#),
  ])
  func `A mistake in the credentials is reported, and no secret with it`(_ text: String, _ expected: String) throws {
    let complaint = try ConfigurationFixture().complaint(
      backend: "\"plugin\": \"p\", \"url\": \"http://h\",\n\"credentials\": \(text)")
    #expect(complaint?.hasPrefix("config.json:4: backends.b.\(expected)") == true, "\(complaint ?? "")")
    #expect(complaint?.contains("geheim") == false)
  }

  @Test(arguments: [
    (
      #""credentials": {"token": {"env": "E"}}"#,
      #"credentials.token: no login method for these credentials: set "login"; for example "login": {"kind": "bearer"}"#
    ),
    (
      #""login": {"kind": "key", "query": "k"}, "credentials": {"token": {"env": "E"}}"#,
      "credentials.token: the login of this backend takes no token; it takes key"
    ),
    (
      #""login": {"kind": "bearer"}"#,
      #"login: a login of the kind bearer needs "token" in "credentials"; for example "credentials": {"token": {"env": NAME}}"#
    ),
    (
      #""login": {"kind": "oauth2", "grant": "authorizationCode", "issuer": "https://h"}"#,
      #"login: a login of the kind oauth2 needs "clientID" in "credentials"; for example "credentials": {"clientID": NAME}"#
    ),
    (
      #""login": {"kind": "basic"}, "headers": {"authorization": "x"}, "credentials": {"username": "a", "password": {"env": "E"}}"#,
      "headers.authorization: the login of this backend sets this header field; leave it out here"
    ),
  ])
  func `What does not go together is reported when the backend is used`(_ members: String, _ expected: String) throws {
    let backend = try ConfigurationFixture().backend(members)
    let error = #expect(throws: ConfigurationError.self) { try backend.checkedLogin(TrustTests.plugin([])) }
    #expect(
      error?.description.contains("config.json:3: backends.b." + expected) == true, "\(String(describing: error))")
  }

  @Test func `The configuration's login comes before the plugin's, whose token endpoint is on the backend's server`()
    throws
  {
    func plugin(_ tokenURL: String) -> Plugin {
      let scheme = LoginScheme(.oauth2(.init(.clientCredentials, tokenURL: tokenURL)))
      return Plugin(name: "p", version: "1", summary: "", login: scheme) { _ throws(BackendError) in
        throw .unsupported("no backend is made here")
      }
    }
    let fixture = try ConfigurationFixture()
    let given = #""credentials": {"clientID": "a", "clientSecret": {"env": "E"}}"#
    let plain = try fixture.backend(given)
    #expect(try plain.checkedLogin(plugin("/token"))?.kindName == "oauth2")
    let error = #expect(throws: ConfigurationError.self) { try plain.checkedLogin(plugin("https://h2/token")) }
    #expect(error?.message == "the plugin p would send the credentials to https://h2/token")
    let own = try fixture.backend(
      #""login": {"kind": "basic"}"# + #", "credentials": {"username": "a", "password": {"env": "E"}}"#)
    #expect(try own.checkedLogin(plugin("https://h2/token"))?.kindName == "basic")
  }

  @Test func `An untrusted folder says nothing of logins`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(
      #"{"switchboard": 1, "backends": {"b": {"plugin": "p", "url": "http://h", "login": {"kind": "basic"}}}}"#)
    let backend = try #require(try fixture.load().backends.first)
    #expect(backend.refusal?.message.hasPrefix("a login takes effect only in a trusted configuration") == true)
  }

  @Test(arguments: [
    (
      #""credentials": {"username": "a", "password": {"command": ["pass"]}}"#,
      "a program that provides secrets is started only"
    ),
    (#""credentials": {"command": ["pass"]}"#, "a program that provides secrets is started only"),
    (#""headers": {"X": {"command": ["pass"]}}"#, "a program that provides secrets is started only"),
    (#""credentials": {"token": {"keyring": "switchboard/c"}}"#, "the keyring is read only"),
    (#""headers": {"X": {"keyring": "switchboard/c"}}"#, "the keyring is read only"),
  ])
  func `A program and the keyring are named in the user's own configuration alone`(
    _ members: String, _ refusal: String
  ) throws {
    let fixture = try ConfigurationFixture()
    #expect(try fixture.backend(members).refusal == nil)
    // Named by an option, it is the same file.
    #expect(
      try fixture.load(fixture.folder.path + "/home/.config/switchboard/config.json").backends.first?.refusal == nil)
    try fixture.local(
      "{\"switchboard\": 1, \"backends\": {\n\"c\": {\"plugin\": \"p\", \"url\": \"http://h\", \(members)}}}")
    try fixture.record()
    for configuration in [try fixture.load(), try fixture.load("config.json")] {
      let refused = try #require(configuration.backends.first { $0.name == "c" })
      let error = #expect(throws: ConfigurationError.self) { try refused.checkUsable() }
      let sentence = "\(refusal) for the user's own configuration; write the backend into"
      #expect(error?.description.hasPrefix("config.json:2: backends.c.") == true)
      #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    }
  }

  @Test(arguments: [#""crm""#, #""switchboard/""#, #""/crm""#, "7", #"["a/b"]"#])
  func `An item of the keyring has a service and an account`(_ written: String) throws {
    let complaint = try ConfigurationFixture().complaint(
      backend: #""plugin": "p", "url": "http://h", "credentials": {"token": {"keyring": \#(written)}}"#)
    #expect(
      complaint
        == "config.json:3: backends.b.credentials.token.keyring: expected SERVICE/ACCOUNT; for example \"switchboard/intranet\""
    )
  }

  @Test func `A program is a list of words`() throws {
    let complaint = try ConfigurationFixture().complaint(
      backend: #""plugin": "p", "url": "http://h", "credentials": {"token": {"command": "pass show x"}}"#)
    #expect(
      complaint
        == "config.json:3: backends.b.credentials.token.command: expected a program and its arguments, as a "
        + #"list of strings; it is run without a shell, for example ["pass", "show", "intranet"]"#)
  }
}
