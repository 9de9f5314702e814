import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct SecretTests {
  private let place = ConfigurationPlace(file: "c.json", line: 4, path: "backends.b.credentials.password")

  @Test func `Variables and files are read at the first use`() throws {
    let fixture = try ConfigurationFixture()
    let backend = try fixture.backend(
      "\"headers\": {\"X\": {\"env\": \"E\"}}, "
        + "\"credentials\": {\"username\": {\"env\": \"U\"}, \"password\": {\"file\": \"pass\"}}",
      environment: ["E": "head", "U": "ana"])
    try fixture.folder.write("geheim\r\n", to: "home/.config/switchboard/pass")
    #expect(try backend.headers(helpers: .none).map(\.1) == ["head"])
    let credentials = try backend.credentials([.username, .password], isRefused: false, helpers: .none).values
    #expect(credentials == [.username: "ana", .password: "geheim"])
  }

  @Test func `A variable that is missing is reported at the use with its place`() throws {
    let backend = try ConfigurationFixture().backend("\"headers\": {\n\"X\": {\"env\": \"NOT_SET\"}}")
    let error = #expect(throws: BackendError.self) { try backend.headers(helpers: .none) }
    #expect(
      error?.message.contains(
        ":4: backends.b.headers.X: the environment variable NOT_SET is not set; set it, or name another one here")
        == true)
  }

  @Test func `A secret that others may read is refused without its content`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("geheim", to: "pass", mode: 0o644)
    let error = #expect(throws: ConfigurationError.self) {
      try Secret.file(file).resolve(environment: [:], place: place)
    }
    #expect(
      error?.description == "c.json:4: backends.b.credentials.password: the secret in \(file) is open to others "
        + "(mode 0644); chmod 600 \(file)")
  }

  @Test func `A file that is missing, empty, a folder or no text is reported`() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.write("\n", to: "empty")
    let broken = folder.path + "/broken"
    try Data([0x67, 0xFF]).write(to: URL(fileURLWithPath: broken))
    try folder.setMode(0o600, of: "broken")
    for (path, expected) in [
      (folder.path + "/no", "does not exist"), (empty, "is empty"), (folder.path, "it is a folder"),
      (broken, "is not valid UTF-8"),
    ] {
      let error = #expect(throws: ConfigurationError.self) {
        try Secret.file(path).resolve(environment: [:], place: place)
      }
      #expect(error?.message.contains(expected) == true, "\(path)")
    }
  }

  @Test func `A pipe in the place of a secret does not hold up the console`() throws {
    let folder = try TemporaryFolder()
    try Program.run("mkfifo", "-m", "600", folder.path + "/pipe")
    let error = #expect(throws: ConfigurationError.self) {
      try Secret.file(folder.path + "/pipe").resolve(environment: [:], place: place)
    }
    #expect(error?.message.contains("it is not a regular file") == true)
  }

  @Test func `A header's value cannot begin another header`() throws {
    let backend = try ConfigurationFixture().backend(
      "\"headers\": {\"X\": {\"env\": \"E\"}}", environment: ["E": "geheim\r\nY: z"])
    let error = #expect(throws: BackendError.self) { try backend.headers(helpers: .none) }
    #expect(error?.message.contains("geheim") == false && error?.message.contains("control characters") == true)
  }

  @Test func `Printing a secret does not show it`() {
    let secret = Secret.literal("geheim")
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
      #expect(!text.contains("geheim"))
    }
  }
}
