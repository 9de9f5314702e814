import BackendKit
import TestSupport
import Testing

@testable import ConsoleSetup

/// A `config.json` of the current folder that cannot be used.
@Suite struct MistakenFolderTests {
  private static let mistaken = [
    "{\"switchboard\": 1,", "[\"switchboard\"", "{\"switchboard\": 2}", "{\"switchboard\": 1, \"x\": 1}",
    "{\"switchboard\": 1, \"backends\": {\"b\": {}}}", "{\"switchboard\": 1, \"settings\": {\"output\": 1}}",
    "{\"switchboard\": 1, \"switchboard\": 1}",
  ]

  @Test(arguments: mistaken) func `An untrusted file with a mistake is ignored, and that is said`(_ text: String) throws
  {
    let fixture = try ConfigurationFixture()
    try fixture.own("{\"default\": \"mine\", \"backends\": {\"mine\": {\"plugin\": \"p\", \"url\": \"http://h\"}}}")
    try fixture.local(text)
    let configuration = try fixture.load()
    #expect(configuration.backends.map(\.name) == ["mine"] && configuration.defaultBackend == "mine")
    #expect(configuration.notices.count == 1)
    #expect(configuration.notices.first?.hasPrefix("config.json is ignored: config.json") == true)
  }

  @Test func `An untrusted file that others may write to, or that cannot be read, is ignored`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local("{\"switchboard\": 1, \"backends\": {\"b\": {\"plugin\": \"p\", \"url\": \"http://h\"}}}")
    try fixture.folder.setMode(0o666, of: "work/config.json")
    let open = try fixture.load()
    #expect(open.backends.isEmpty)
    #expect(open.notices.first?.contains("it is writable by others") == true)
  }

  @Test func `A trusted file of which a mistake is found stops the console`() throws {
    let fixture = try ConfigurationFixture()
    let text = "{\"switchboard\": 2}"
    try fixture.local(text)
    let path = fixture.work + "/config.json"
    try fixture.folder.write(
      "{\"trusted\": {\"\(path)\": [{\"path\": \"\(path)\", \"sha256\": \"\(SHA256.hex(Array(text.utf8)))\"}]}}",
      to: "home/.local/state/switchboard/trust.json")
    try fixture.folder.setMode(0o600, of: "home/.local/state/switchboard/trust.json")
    #expect(throws: ConfigurationError.self) { try fixture.load() }
  }
}
