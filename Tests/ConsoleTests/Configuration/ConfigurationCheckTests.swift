import BackendKit
import BackendTransport
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct ConfigurationCheckTests {
  @Test func `An unknown key is reported with line, path and the nearest one`() throws {
    let fixture = try ConfigurationFixture()
    let text = """
      {
        "switchboard": 1,
        "backends": {
          "intranet": {
            "plugin": "grails",
            "urll": "http://127.0.0.1"
          }
        }
      }
      """
    #expect(
      try fixture.complaint(text) == "config.json:6: backends.intranet.urll: unknown key; did you mean url?")
    #expect(
      try fixture.complaint("{\"switchboard\": 1, \"zzzzzz\": 2}")
        == "config.json:1: zzzzzz: unknown key; known keys: $schema, switchboard, default, settings, journal, journalKeep, mappings, queries, backends"
    )
  }

  @Test func `An error knows its line, and that of the syntax its column in characters`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local("\u{FEFF}{\"switchboard\": 1,\n \"$schema\": \"éü\", \"x\": 1}")
    let error = #expect(throws: ConfigurationError.self) { try fixture.load("config.json") }
    #expect(error?.place == ConfigurationPlace(file: "config.json", line: 2, path: "x"))
    #expect(
      try fixture.complaint("\u{FEFF}{\"switchboard\": 1,\n \"$schema\": \"éü\", x}")
        == "config.json:2: this is not JSON: expected a member name (column 19)")
  }

  @Test func `A name that stands twice is refused wherever it stands`() throws {
    let fixture = try ConfigurationFixture()
    #expect(
      try fixture.complaint(
        """
        {"switchboard": 1, "backends": {
          "a": {"plugin": "p", "url": "http://a"},
          "b": {"plugin": "p", "url": "http://b"},
          "a": {"plugin": "p", "url": "http://c"}
        }}
        """) == "config.json:4: backends.a: duplicate name; first defined on line 2")
    #expect(
      try fixture.complaint(
        backend: "\"plugin\": \"p\", \"url\": \"http://h\", \"options\": {\"x\": [{\"y\": 1, \"y\": 2}]}")
        == "config.json:3: backends.b.options.x.0.y: duplicate name; first defined on line 3")
    #expect(
      try fixture.complaint("{\"switchboard\": 1, \"\\u0073witchboard\": 1}")
        == "config.json:1: switchboard: duplicate name; first defined on line 1")
  }

  @Test(arguments: [
    ("{\"switchboard\": 2}", "switchboard: this console reads version 1 of the configuration"),
    ("{\"switchboard\": 1, \"backends\": []}", "backends: expected an object, not a list"),
    ("{\"switchboard\": 1, \"backends\": {\"b\": 1}}", "backends.b: expected an object, not a number"),
    ("{\"switchboard\": 1, \"backends\": {\"B\": {}}}", "backends.B: this is not a valid backend name"),
    ("{\"switchboard\": 1, \"backends\": {\"1a\": {}}}", "backends.1a: this is not a valid backend name"),
    ("{\"switchboard\": 1, \"default\": 1}", "default: expected text, not a number"),
    ("{\"switchboard\": 1, \"settings\": {\"perPage\": 0}}", "settings.perPage: expected a whole number of at least 1"),
    ("{\"switchboard\": 1, \"settings\": {\"perPage\": \"9\"}}", "settings.perPage: expected a whole number"),
    ("{\"switchboard\": 1, \"settings\": {\"output\": \"jsn\"}}", "not one of the choices; did you mean json?"),
    ("{\"switchboard\": 1, \"settings\": {\"perpage\": 5}}", "unknown key; did you mean perPage?"),
    ("{\"switchboard\": 1, \"$schema\": null}", "$schema: expected text, not a null"),
  ])
  func `What is wrong at the top is reported with its path`(_ text: String, _ expected: String) throws {
    let complaint = try ConfigurationFixture().complaint(text)
    #expect(
      complaint?.hasPrefix("config.json:1: ") == true && complaint?.contains(expected) == true, "\(complaint ?? "")")
  }

  @Test(arguments: [
    ("\"url\": \"http://h\"", "config.json:2: backends.b: \"plugin\" is missing"),
    ("\"plugin\": \"p\"", "config.json:2: backends.b: \"url\" is missing"),
    ("\"plugin\": \"../p\", \"url\": \"http://h\"", "backends.b.plugin: this is not a valid plugin name"),
    ("\"plugin\": \"p\", \"url\": \"ftp://h\"", "backends.b.url: an address begins with http://, https:// or unix:///"),
    ("\"plugin\": \"p\", \"url\": \"http://\"", "backends.b.url: the address has no host"),
    ("\"plugin\": \"p\", \"url\": \"http://u:geheim@h\"", "an address cannot contain a user name or password"),
    ("\"plugin\": \"p\", \"url\": \"http://h:99999\"", "the port of the address must be a number from 1 to 65535"),
    ("\"plugin\": \"p\", \"url\": \"http://h?x\"", "an address cannot have a query or a fragment"),
    ("\"plugin\": \"p\", \"url\": \"http://[::1\"", "the host of the address is malformed"),
    ("\"plugin\": \"p\", \"url\": \"demo:\"", "demo: must be followed by the name"),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"resource\": \"a/b\"",
      "backends.b.resource: this is not a valid resource"
    ),
    ("\"plugin\": \"p\", \"url\": \"http://h\", \"headers\": {\"a b\": \"x\"}", "this is not a valid header name"),
    ("\"plugin\": \"p\", \"url\": \"http://h\", \"headers\": {\"X\": 1}", "headers.X: this is not a valid value"),
    ("\"plugin\": \"p\", \"url\": \"http://h\", \"headers\": {\"X\": {\"evn\": \"A\"}}", "did you mean env?"),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"timeouts\": {\"total\": 0}",
      "timeouts.total: expected a number of seconds"
    ),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"tls\": {\"cert\": \"c\"}",
      "\"cert\" and \"key\" must be given together"
    ),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"tls\": {\"pin\": \"abc\"}",
      "expected the SHA-256 digest of a public key"
    ),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"tls\": {\"pin\": []}",
      "expected the SHA-256 digest of a public key"
    ),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"tls\": {\"insecure\": true, \"pin\": \"\(String(repeating: "a", count: 64))\"}",
      "\"insecure\" and \"pin\" cannot be combined"
    ),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"tls\": {\"insecure\": 1}",
      "expected true or false, not a number"
    ),
    ("\"plugin\": \"p\", \"url\": \"http://h\", \"credentials\": {\"username\": \"u\"}", "are required here"),
    (
      "\"plugin\": \"p\", \"url\": \"http://h\", \"credentials\": {}",
      "there are no credentials in it; write what the login takes, of username, "
    ),
  ])
  func `What is wrong with a backend is reported with its path`(_ members: String, _ expected: String) throws {
    let complaint = try ConfigurationFixture().complaint(backend: members)
    #expect(complaint?.contains(expected) == true, "\(complaint ?? "")")
    #expect(complaint?.contains("geheim") == false)
  }

  @Test func `A password in the file is refused and not repeated`() throws {
    let complaint = try ConfigurationFixture().complaint(
      backend:
        "\"plugin\": \"p\", \"url\": \"http://h\", \"credentials\": {\"username\": \"u\", \"password\": \"geheim\"}")
    #expect(
      complaint == "config.json:3: backends.b.credentials.password: a password cannot be written in a configuration; "
        + "write {\"env\": \"NAME\"} or {\"file\": \"PATH\"}")
  }

  @Test func `Everything that a backend can say is read`() throws {
    let fixture = try ConfigurationFixture()
    let backend = try fixture.backend(
      """
      "resource": "users/1/todos", "options": {"big": 9007199254740993, "list": [1]},
      "headers": {"X-Plain": "a", "X-Secret": {"env": "E"}},
      "credentials": {"username": "u", "password": {"file": "pass"}},
      "tls": {"ca": "~/ca.pem", "cert": "/c", "key": "k", "insecure": false},
      "timeouts": {"connect": 0.5, "firstByte": 3, "total": 1e2}
      """)
    let folder = fixture.folder.path + "/home/.config/switchboard"
    #expect(backend.name == "b" && backend.plugin == "p" && backend.url == "http://h")
    #expect(backend.resource == "users/1/todos")
    #expect(JSONWriter.compact(.object(backend.options)) == "{\"big\":9007199254740993,\"list\":[1]}")
    #expect(backend.headers.map(\.name) == ["X-Plain", "X-Secret"])
    #expect(backend.headers.map(\.value) == [.literal("a"), .environment("E")])
    #expect(backend.credentials == Credentials([.username: .literal("u"), .password: .file(folder + "/pass")]))
    #expect(backend.tls?.ca == fixture.folder.path + "/home/ca.pem" && backend.tls?.key == folder + "/k")
    #expect(backend.timeouts == .init(connect: .milliseconds(500), firstByte: .seconds(3), total: .seconds(100)))
    #expect(backend.isTrusted && backend.refusal == nil)
  }

  @Test func `What a file says never reaches the terminal raw`() throws {
    let complaint = try ConfigurationFixture().complaint("{\"switchboard\": 1, \"a\\u001b[2Jb\": 1}")
    #expect(complaint?.hasPrefix("config.json:1: a\\x1b[2Jb: unknown key") == true)
  }
}
