import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// `add` at services that want credentials: what their documents say of these, and where they go.
@Suite("What a document wants of requests") struct SecurityTests {
  private static let secret = "s3cret-of-rooms"
  private static let variables = ["ROOM_SECRET": secret]

  /// A kind of scheme, and the option that has to be named for it.
  static let kinds = [
    ("header", "a key in the header field X-Room-Key: --header-env X-Room-Key=VARIABLE"),
    ("query", "a key in the parameter room_key: --query-env room_key=VARIABLE"),
    ("cookie", "a key in the cookie room: --cookie-env room=VARIABLE"),
    ("basic", "a user name and a password: --basic-env USER:VARIABLE"),
    ("bearer", "a token: --bearer-env VARIABLE"),
    ("connect", "a token from a login in a browser: --bearer-env VARIABLE"),
    ("browser", "a token from a login in a browser: --bearer-env VARIABLE"),
    ("said", "a token: --bearer-env VARIABLE"),
    ("raw", "a key in the header field Authorization: --header-env Authorization=VARIABLE"),
    ("swagger", "a user name and a password: --basic-env USER:VARIABLE"),
    ("password", "a user name and a password for a token from /token: --basic-env USER:VARIABLE"),
    ("client", "a client ID and its secret for a token from /token: --basic-env CLIENT:VARIABLE"),
  ]

  @Test("a refusal names the option that gives what the document wants, and the option works", arguments: kinds)
  func refusal(_ kind: String, _ wanted: String) async throws {
    let option = try #require(wanted.split(separator: ": ").last)
      .replacing("VARIABLE", with: "ROOM_SECRET").replacing("USER", with: "ana").replacing("CLIENT", with: "ana")
    for mode in ["shut", "lists"] {
      // A password that a server has refused is not sent to it again.
      let server = try await StyleServer("secured")
      let refused = try await server.add("\(mode)/\(kind) \(mode)")
      #expect(refused.status != 0 && refused.errors.contains("authentication required (401)"), "\(refused.errors)")
      #expect(refused.errors.contains("the document names \(wanted);"), "\(refused.errors)")
      let added = try await server.run(
        "add \(server.address)/\(mode)/\(kind) \(mode) --yes \(option)", options: ["--trace"],
        variables: Self.variables)
      #expect(added.status == 0, "\(added.errors)")
      let read = try await server.run(
        "get \(mode)/rooms 2 -o json", options: ["--trace"], variables: Self.variables)
      #expect(read.output.contains("room 2"), "\(read.errors)")
      let configuration = try server.configuration()
      #expect(configuration.contains("ROOM_SECRET"))
      let texts = [added.errors, added.output, read.errors, configuration, try server.description(mode)]
      for text in texts { #expect(!text.contains(Self.secret) && !text.contains("t0ken-of-rooms"), "\(text)") }
    }
  }

  @Test func `the address of a list finds the document above it`() async throws {
    let server = try await StyleServer("secured")
    let refused = try await server.add("shut/header/rooms")
    #expect(refused.errors.contains(": --header-env X-Room-Key=VARIABLE; "), "\(refused.errors)")
  }

  @Test func `credentials that were refused are sent as the document says`() async throws {
    let server = try await StyleServer("secured")
    for (kind, written) in [("prefixed", "\"prefix\": \"SSWS\""), ("header", "\"header\": \"X-Room-Key\"")] {
      let refused = try await server.add("shut/\(kind) \(kind)")
      if kind == "prefixed" { #expect(refused.errors.contains("begins with \"SSWS \""), "\(refused.errors)") }
      let added = try await server.add(
        "shut/\(kind) \(kind)", "--yes --bearer-env ROOM_SECRET", variables: Self.variables)
      #expect(added.status == 0 && added.errors.contains("login of the document"), "\(added.errors)")
      let configuration = try server.configuration()
      #expect(configuration.contains(written) && !configuration.contains(Self.secret))
      #expect(!(try server.description(kind).contains("login")))
      let read = try await server.run("get \(kind)/rooms 2 -o json", variables: Self.variables)
      #expect(read.output.contains("room 2"), "\(read.errors)")
    }
    // The document is read without them.
    let log = try server.log().drop { !$0.contains(Self.secret) }
    #expect(log.first { $0.contains("openapi.json") } == "GET /shut/prefixed/openapi.json")
    // The document asks for what was sent, so the credentials are wrong.
    let wrong = try await server.add("shut/bearer wrong", "--yes --bearer-env X", variables: ["X": "wr0ng-token"])
    #expect(wrong.status != 0 && !wrong.errors.contains("login of the document"), "\(wrong.errors)")
  }

  @Test func `another server gets credentials after a question only`() async throws {
    let other = try await StyleServer("secured")
    let server = try await StyleServer("secured", [other.address])
    let options = "--yes --basic-env ana:ROOM_SECRET"
    let line = "add \(server.address)/shut/foreign svc \(options)"
    for (mode, server) in [("shut", server), ("lists", try await StyleServer("secured", [other.address]))] {
      let left = try await server.add("\(mode)/foreign svc", options, variables: Self.variables)
      #expect(left.status != 0, "\(left.errors)")
      #expect(left.errors.contains("client ID and client secret to \(other.address), the token to"), "\(left.errors)")
    }
    #expect(try await server.type(line, "n", variables: Self.variables).contains("authentication required"))
    #expect(try other.log().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: server.file().path))
    let shown = try await server.type(line, "y", variables: Self.variables)
    let receivers = "client ID and client secret to \(other.address), the token to \(server.address)"
    #expect(shown.contains(receivers), "\(shown)")
    #expect(try server.configuration().contains("\(other.address)/token"), "\(shown)")
    let log = try other.log()
    #expect(log.count == 1 && log[0].hasPrefix("POST /token Basic "), "\(log)")
    // The token has come from there, and the other server saw nothing else.
    #expect(try server.log().contains { $0.hasPrefix("GET /shut/foreign/rooms Bearer t0ken") })
  }

  @Test func `a service that reads without credentials gets a login that is used on demand`() async throws {
    let other = try await StyleServer("secured")
    let server = try await StyleServer("secured", [other.address])
    let own = try await server.add("open/password own")
    #expect(own.status == 0, "\(own.errors)")
    #expect(own.errors.contains("sends user name and password to \(server.address)"), "\(own.errors)")
    for (kind, reason) in [
      ("elsewhere", "user name and password to \(other.address)"), ("plain", "id.example.org"),
    ] {
      let left = try await server.add("open/\(kind) \(kind)")
      #expect(left.status == 0 && left.errors.contains("left out"), "\(left.errors)")
      #expect(left.errors.contains(reason), "\(left.errors)")
    }
    let noted = try await server.add("open/header noted")
    #expect(noted.status == 0, "\(noted.errors)")
    #expect(noted.errors.contains("no read needed a login; the document names a key in the header"), "\(noted.errors)")
    let configuration = try server.configuration()
    #expect(configuration.components(separatedBy: "\"login\"").count == 2)
    #expect(configuration.contains("\"tokenURL\": \"/token\""))
    #expect(!configuration.contains(other.address) && !configuration.contains("id.example.org"))
    let read = try await server.run("get own/rooms 2 -o json", "get noted/rooms 2 -o json")
    #expect(read.status == 0, "\(read.errors)")
    #expect(try server.log().allSatisfy { !$0.hasPrefix("POST") })
    let asked = try await server.run(
      "login own ana", "get own/rooms 2 -o json", variables: ["SWITCHBOARD_PASSWORD": Self.secret])
    #expect(asked.status == 0, "\(asked.errors)")
    #expect(try server.log().last == "GET /open/password/rooms/2 Bearer t0ken-of-rooms")
  }

  @Test(
    arguments: [
      (
        "header",
        #""login": {"kind":"key","header":"X-Room-Key"}, "credentials": {"key":{"env":VARIABLE}}"#
      ),
      ("query", #""login": {"kind":"key","query":"room_key"}, "credentials": {"key":{"env":VARIABLE}}"#),
      ("basic", #""login": {"kind":"basic"}, "credentials": {"username":USER,"password":{"env":VARIABLE}}"#),
      (
        "client",
        #""login": {"kind":"oauth2","grant":"clientCredentials","tokenURL":"/token"}, "credentials": {"clientID":CLIENT,"clientSecret":{"env":VARIABLE}}"#
      ),
      (
        "found",
        #""login": {"kind":"oauth2","grant":"authorizationCode","issuer":"https://id.example.org/x"}, "credentials": {"clientID":CLIENT}"#
      ),
      (
        "pages",
        #""login": {"kind":"oauth2","grant":"authorizationCode","authorizationURL":"https://id.example.org/in","tokenURL":"/token"}, "credentials": {"clientID":CLIENT}"#
      ),
      // Without an address to log in at, a token is what can be given.
      ("browser", #""login": {"kind":"bearer"}, "credentials": {"token":{"env":VARIABLE}}"#),
      ("ruse", #""login": {"kind":"bearer"}, "credentials": {"token":{"env":VARIABLE}}"#),
    ])
  func `a refusal names the lines of the configuration`(_ kind: String, _ lines: String) async throws {
    let server = try await StyleServer("secured")
    let refused = try await server.add("shut/\(kind)")
    #expect(refused.errors.contains("in the configuration: \(lines)\n"), "\(refused.errors)")
    #expect(!refused.errors.contains("evil"), "\(refused.errors)")
  }

  @Test func `of several logins a person chooses, and a script gets the first that it names at its own origin`()
    async throws
  {
    let other = try await StyleServer("secured")
    let server = try await StyleServer("secured", [other.address])
    let first = try await server.add("open/several first")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try server.configuration().contains("\"tokenURL\": \"/token\""), "\(first.errors)")
    // The requests, the list without pages, the login, and the server that gets the credentials.
    let shown = try await server.type("add \(server.address)/open/several far", "y", "y", "1", "y")
    #expect(
      shown.contains("1: {\"kind\":\"oauth2\",\"grant\":\"password\",\"tokenURL\":\"\(other.address)/token\"}"),
      "\(shown)")
    #expect(shown.contains("3: {\"kind\":\"oauth2\",\"grant\":\"password\",\"tokenURL\":\"/unnamed\"}"), "\(shown)")
    #expect(try server.configuration().contains("\"tokenURL\": \"\(other.address)/token\""), "\(shown)")
    #expect(try other.log().isEmpty)
  }

  @Test func `a person is asked for the variables of a login that the service wants`() async throws {
    let server = try await StyleServer("secured")
    let line = "add \(server.address)/shut/keys svc"
    // The login, the server, the credentials, the requests, and the list without pages.
    let shown = try await server.type(line, "2", "y", "ana", "ROOM_SECRET", "y", "y", variables: Self.variables)
    #expect(shown.contains("authentication required (401)"), "\(shown)")
    #expect(shown.contains("1: {\"kind\":\"key\",\"header\":\"X-Room-Key\"}"), "\(shown)")
    #expect(shown.contains("Send user name and password to \(server.address)?"), "\(shown)")
    let written = try server.configuration()
    #expect(written.contains("\"kind\": \"basic\"") && written.contains("ROOM_SECRET"), "\(written)")
    #expect(!written.contains(Self.secret) && !shown.contains(Self.secret), "\(written)")
    let read = try await server.run("get svc/rooms 2 -o json", variables: Self.variables)
    #expect(read.output.contains("room 2"), "\(read.errors)")
    // A script is not asked.
    let script = try await server.add("shut/keys other")
    #expect(script.status != 0 && script.errors.contains("the document names a key"), "\(script.errors)")
  }

  @Test func `a list that is refused beside others is noted with what it wants`() async throws {
    let server = try await StyleServer("secured")
    let run = try await server.add("partly/header partly", "--yes --evidence")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("GET /partly/header/keys → 401: the document names a key in the header field X-Room-Key"),
      "\(run.errors)")
  }

  @Test func `schemes that are needed together are named together`() async throws {
    let server = try await StyleServer("secured")
    let both = try await server.add("shut/both")
    #expect(both.errors.contains(": --header-env X-Room-Key=VARIABLE --header-env X-App=VARIABLE; "), "\(both.errors)")
    let two = try await server.add("shut/two")
    #expect(
      two.errors.contains("a key in the parameter room_key and a key in the parameter app: no option sends both"),
      "\(two.errors)")
  }

  @Test func `a document cannot put words of its own into an option`() async throws {
    let server = try await StyleServer("secured")
    let run = try await server.add("shut/hostile")
    #expect(run.errors.contains("--cookie-env names the environment variable"), "\(run.errors)")
    #expect(!run.errors.contains("evil") && !run.errors.contains("$("), "\(run.errors)")
  }

  @Test func `options cannot be combined where each is a login, and what they name has to be there`() async throws {
    let server = try await StyleServer("secured")
    for (options, message) in [
      ("--query-env a=ROOM_SECRET --cookie-env b=ROOM_SECRET", "--query-env and --cookie-env cannot be combined"),
      ("--bearer-env ROOM_SECRET --query-env a=ROOM_SECRET", "--bearer-env and --query-env cannot be combined"),
      ("--query-env a", "--query-env takes NAME=VARIABLE"),
      ("--cookie-env a=NOT_SET", "the environment variable NOT_SET is not set"),
      ("--cookie-env 'a b'=ROOM_SECRET", "this is not a valid cookie name"),
    ] {
      let run = try await server.add("shut/query svc", "--yes \(options)", variables: Self.variables)
      #expect(run.status != 0 && run.errors.contains(message), "\(options): \(run.errors)")
    }
    #expect(try server.log().allSatisfy { !$0.contains(Self.secret) })
  }
}
