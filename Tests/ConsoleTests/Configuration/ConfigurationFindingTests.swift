import BackendKit
import BackendTransport
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct ConfigurationFindingTests {
  private func backends(_ names: String...) -> String {
    let members = names.map { "\"\($0)\": {\"plugin\": \"p\", \"url\": \"http://\($0)\"}" }
    return "{\"switchboard\": 1, \"backends\": {\(members.joined(separator: ", "))}}"
  }

  @Test func `Without any file there is a configuration of nothing`() throws {
    let configuration = try ConfigurationFixture().load()
    #expect(configuration.backends.isEmpty && configuration.folder == nil && configuration.notices.isEmpty)
  }

  @Test func `A named file stands alone, before the variable and the folder`() throws {
    var fixture = try ConfigurationFixture()
    try fixture.local(backends("local"))
    try fixture.own(backends("own"))
    try fixture.folder.write(backends("named"), to: "work/named.json")
    let other = try fixture.folder.write(backends("other"), to: "other.json")
    fixture.environment["SWITCHBOARD_CONFIG"] = other
    #expect(try fixture.load("named.json").backends.map(\.name) == ["named"])
    #expect(try fixture.load().backends.map(\.name) == ["other"])
    fixture.environment["SWITCHBOARD_CONFIG"] = ""
    #expect(try fixture.load().backends.map(\.name) == ["own", "local"])
  }

  @Test func `A named file that is missing is an error that says who names it`() throws {
    var fixture = try ConfigurationFixture()
    let first = #expect(throws: ConfigurationError.self) { try fixture.load("no.json") }
    #expect(first?.description == "--config: cannot read no.json: No such file or directory")
    fixture.environment["SWITCHBOARD_CONFIG"] = "/no.json"
    let second = #expect(throws: ConfigurationError.self) { try fixture.load() }
    #expect(second?.description == "SWITCHBOARD_CONFIG: cannot read /no.json: No such file or directory")
  }

  @Test func `A folder by the name of config.json is ignored with a notice, and one that is named is reported`() throws
  {
    let fixture = try ConfigurationFixture()
    _ = try fixture.folder.makeFolder("work/config.json")
    try fixture.own(backends("own"))
    let configuration = try fixture.load()
    #expect(configuration.backends.map(\.name) == ["own"])
    #expect(configuration.notices == ["config.json is ignored: it is a folder"])
    let error = #expect(throws: ConfigurationError.self) { try fixture.load("config.json") }
    #expect(
      error?.description
        == "config.json: it cannot be read: it is a folder; name a file, for example config.json/config.json")
  }

  @Test(
    "Sixty thousand backends in one line are read in passing, also where the user's own names them again",
    .timeLimit(.minutes(10)))
  func many() throws {
    let backends = (0..<60_000).map { #""b\#($0)":{"plugin":"grails","url":"http://127.0.0.1:9/"}"# }
    let text = #"{"switchboard":1,"backends":{"# + backends.joined(separator: ",") + "}}"
    let fixture = try ConfigurationFixture()
    try fixture.local(text)
    try fixture.own(text)
    let configuration = try fixture.load()
    #expect(configuration.backends.count == 60_000)
    #expect(configuration.notices.allSatisfy { $0.utf8.count < 1000 })
  }

  @Test(arguments: [
    ("", ":1: this is not JSON: the text is empty (column 1); the smallest configuration: {\"switchboard\": 1}"),
    (
      "{\"switchboard\": 1,\n}",
      ":2: this is not JSON: expected a member name (column 1); no comma is allowed after the last element"
    ),
    (
      "{ // one\n\"switchboard\": 1}",
      ":1: this is not JSON: expected a member name (column 3); JSON has no comments"
    ),
    (
      "{\"switchboard\": 1",
      ":1: this is not JSON: the text ends unexpectedly (column 18); is there an unclosed bracket or quote?"
    ),
    (
      "{'switchboard': 1}",
      ":1: this is not JSON: expected a member name (column 2); strings must be in double quotes"
    ),
  ])
  func `What is no JSON is reported with its place and what would be right`(_ text: String, _ expected: String) throws {
    let fixture = try ConfigurationFixture()
    try fixture.folder.write(text, to: "work/named.json")
    let error = #expect(throws: ConfigurationError.self) { try fixture.load("named.json") }
    #expect(error?.description == "named.json" + expected)
  }

  @Test(arguments: ["{\"name\": \"webpack\"}", "// no JSON", "[1]", ""])
  func `Somebody else's config.json is ignored with a notice`(_ text: String) throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(text)
    try fixture.own(backends("own"))
    let configuration = try fixture.load()
    #expect(configuration.backends.map(\.name) == ["own"])
    #expect(configuration.notices == ["config.json is ignored: it has no \"switchboard\": 1"])
  }

  @Test func `A config.json meant for the console but malformed is an error with its line`() throws {
    let fixture = try ConfigurationFixture()
    #expect(
      try fixture.complaint("{\n  \"switchboard\": 1,\n  oops\n}") == "config.json:3: this is not JSON: "
        + "expected a member name (column 3)")
  }

  @Test func `The user's own configuration lies beneath the folder's, once that is trusted`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(
      """
      {"switchboard": 1, "default": "a", "settings": {"perPage": 5},
       "backends": {"b": {"plugin": "p", "url": "http://b"}, "a": {"plugin": "p", "url": "http://a"}}}
      """)
    try fixture.own(
      """
      {"default": "c", "settings": {"perPage": 7, "output": "json"},
       "backends": {"c": {"plugin": "p", "url": "http://c"}}}
      """)
    let untrusted = try fixture.load()
    #expect(untrusted.backends.map(\.name) == ["c", "b", "a"])
    #expect(untrusted.defaultBackend == "c")
    #expect(untrusted.settings["perPage"] == 7 && untrusted.settings["output"] == "json")
    #expect(
      untrusted.notices == [
        "config.json is not trusted, and these parts of it are not used: default, settings; to trust it, read it and run: "
          + "switchboard -c \"config trust\""
      ])
    try fixture.record()
    let configuration = try fixture.load()
    #expect(configuration.backends.map(\.name) == ["b", "a", "c"])
    #expect(configuration.defaultBackend == "a")
    #expect(configuration.settings["perPage"] == 5 && configuration.settings["output"] == "json")
    #expect(configuration.notices.isEmpty)
  }

  @Test func `A default may name a backend of the user's own`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local("{\"switchboard\": 1, \"default\": \"own\"}")
    let error = #expect(throws: ConfigurationError.self) { try fixture.load("config.json") }
    #expect(error?.description == "config.json:1: default: unknown backend \"own\"; no backend is configured")
    try fixture.own(backends("own"))
    #expect(try fixture.load().defaultBackend == nil)
    try fixture.record()
    #expect(try fixture.load().defaultBackend == "own")
  }

  @Test func `The XDG place is taken where it is absolute`() throws {
    var fixture = try ConfigurationFixture()
    try fixture.own(backends("home"))
    try fixture.folder.write(backends("xdg"), to: "xdg/switchboard/config.json")
    fixture.environment["XDG_CONFIG_HOME"] = fixture.folder.path + "/xdg"
    #expect(try fixture.load().backends.map(\.name) == ["xdg"])
    fixture.environment["XDG_CONFIG_HOME"] = "xdg"
    #expect(try fixture.load().backends.map(\.name) == ["home"])
  }

  @Test func `In the user's configuration folder its file is read once and trusted`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.own(
      "{\"switchboard\": 1, \"backends\": {\"a\": {\"plugin\": \"p\", \"url\": \"http://a\", "
        + "\"headers\": {\"X\": \"y\"}}}}")
    let configuration = try Configuration.load(
      explicit: nil, environment: fixture.environment,
      directory: fixture.folder.path + "/home/.config/switchboard", trust: fixture.trust)
    #expect(configuration.backends.count == 1 && configuration.backends.first?.refusal == nil)
  }

  // Only root can give files away.
  @Test(.enabled(if: geteuid() == 0))
  func `A configuration of another user is ignored where it was found and refused where it was named`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(backends("a"))
    try fixture.own(backends("own"))
    try fixture.folder.setOwner(54_321, group: 54_321, of: "work/config.json")
    let configuration = try fixture.load()
    #expect(configuration.backends.map(\.name) == ["own"])
    #expect(configuration.notices == ["config.json is ignored: it belongs to another user (54321)"])
    let error = #expect(throws: ConfigurationError.self) { try fixture.load("config.json") }
    #expect(error?.message == "it belongs to another user (54321)")
  }

  @Test func `Paths in a configuration begin at the folder where its file really is`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.folder.write(
      "{\"switchboard\": 1, \"backends\": {\"b\": {\"plugin\": \"p\", \"url\": \"http://h\", "
        + "\"tls\": {\"ca\": \"ca.pem\"}}}}", to: "real/config.json")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.work + "/named.json", withDestinationPath: "../real/config.json")
    #expect(try fixture.load("named.json").backends.first?.tls?.ca == fixture.folder.path + "/real/ca.pem")
  }

  @Test func `A configuration that others may write to is refused`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(backends("a"))
    try fixture.folder.setMode(0o666, of: "work/config.json")
    let error = #expect(throws: ConfigurationError.self) { try fixture.load("config.json") }
    #expect(
      error?.description
        == "config.json: it is writable by others (mode 0666); review it, then chmod go-w config.json")
  }

  @Test func `The configuration that is shipped loads and needs no trust`() throws {
    let fixture = try ConfigurationFixture()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    try fixture.local(String(contentsOfFile: root + "/config.json", encoding: .utf8))
    #expect(try fixture.load().backends.allSatisfy { $0.refusal == nil })
    let configuration = try fixture.load("config.json")
    #expect(configuration.defaultBackend == "intranet")
    #expect(configuration.backends.map(\.name) == ["intranet", "todolist", "placeholder", "baasic"])
    #expect(configuration.backends.map(\.resource) == ["announcements", "todos", "todos", "todo"])
    #expect(configuration.notices.isEmpty && configuration.backends.allSatisfy { $0.refusal == nil })
  }
}
