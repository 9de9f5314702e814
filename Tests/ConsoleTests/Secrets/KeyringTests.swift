import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup
@testable import ConsoleSystem

/// The keyring as the program `secret-tool` shows it; a script takes the place of that program.
@Suite struct KeyringTests {
  private let folder: TemporaryFolder
  private let item: KeyringItem

  init() throws {
    folder = try TemporaryFolder()
    item = try #require(KeyringItem("switchboard/crm"))
    try folder.write(KeyringProgram.text, to: KeyringProgram.name, mode: 0o700)
  }

  private func keyring(_ variables: [String: String] = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"]) -> Keyring {
    Keyring(ChildEnvironment(["PATH": "\(folder.path):/usr/bin:/bin"].merging(variables) { $1 }), isAttended: true)
  }

  private func failure(_ keyring: Keyring) -> HelperFailure? {
    #expect(throws: HelperFailure.self) { try keyring.secret(of: item) }
  }

  @Test(arguments: ["s3cret", " {\"a\": 'b' \\n} ", "two\nlines", String(repeating: "é", count: 2048)])
  func `A secret comes back as it was given, and is never an argument`(_ secret: String) throws {
    try keyring().store(secret, in: item)
    #expect(try keyring().secret(of: item) == secret)
    #expect(
      folder.text(of: "calls")
        == "store --label=switchboard/crm service switchboard username crm\nlookup service switchboard username crm\n")
    try keyring().remove(item)
    #expect(failure(keyring())?.clause == "has no item switchboard/crm")
    // Removing a missing item succeeds.
    try keyring().remove(item)
  }

  @Test func `The account is what follows the first slash`() throws {
    _ = try folder.makeFolder("a b c")
    try keyring().store("s3cret", in: try #require(KeyringItem("a b/c/d")))
    #expect(folder.text(of: "a b c/d") == "s3cret")
    #expect(folder.text(of: "calls")?.hasSuffix("service a b username c/d\n") == true)
  }

  @Test func `A secret that a pipe may not take is refused`() throws {
    let error = #expect(throws: HelperFailure.self) {
      try keyring().store(String(repeating: "x", count: 4097), in: item)
    }
    #expect(error?.clause == "takes no secret above 4096 bytes" && folder.text(of: "calls") == nil)
  }

  @Test func `A locked keyring is not taken for one without the item`() throws {
    try keyring().store("s3cret", in: item)
    try folder.write("", to: "locked")
    #expect(failure(keyring())?.clause == "is locked")
    let error = #expect(throws: HelperFailure.self) { try keyring().remove(item) }
    #expect(error?.clause == "is locked" && folder.text(of: "switchboard crm") == "s3cret")
  }

  @Test func `What is missing is named`() throws {
    #expect(failure(keyring([:]))?.clause == "cannot be reached: there is no session bus")
    let absent = failure(keyring(["PATH": "/nowhere", "DBUS_SESSION_BUS_ADDRESS": "x"]))
    #expect(absent?.clause == "cannot be reached: there is no program secret-tool")
    #expect(absent?.hint == "install libsecret-tools or libsecret")
    #expect(!keyring([:]).isPresent && keyring().isPresent && folder.text(of: "calls") == nil)
    // The bus of systemd is a socket at a known place.
    try folder.write("", to: "bus")
    #expect(keyring(["XDG_RUNTIME_DIR": folder.path]).isPresent)
    try folder.write(
      "secret-tool: The name org.freedesktop.secrets was not provided by any .service files\n", to: "says")
    #expect(failure(keyring())?.clause == "cannot be reached: no service on the session bus keeps secrets")
    try folder.write("secret-tool: Cannot create an item in a locked collection\n", to: "says")
    #expect(failure(keyring())?.clause.contains("Cannot create an item in a locked collection") == true)
  }

  @Test func `One that waits to be unlocked is given up`() throws {
    try Program.run("mkfifo", folder.path + "/fifo")
    try folder.write("", to: "hangs")
    var keyring = keyring()
    keyring.limit = .milliseconds(200)
    let failure = failure(keyring)
    #expect(failure?.clause.hasPrefix("did not finish within") == true)
    #expect(failure?.hint == "it may wait to be unlocked")
  }

  @Test func `It is read once for the process, again once it is refused, and its text is blanked`() throws {
    let blanking = Blanking()
    let helpers = CredentialHelpers(keyring().environment, blanking, now: { 0 })
    let backend = try ConfigurationFixture().backend(#""credentials": {"token": {"keyring": "switchboard/crm"}}"#)
    func token(_ isRefused: Bool = false) throws -> String? {
      try backend.credentials([.token], isRefused: isRefused, helpers: helpers).values[.token]
    }
    let error = #expect(throws: BackendError.self) { try token() }
    #expect(
      error?.message.hasSuffix(
        "backends.b.credentials.token: the keyring has no item switchboard/crm; login b keeps one there") == true,
      "\(String(describing: error))")
    // The text of an item is the secret whatever it looks like.
    try keyring().store(#"{"token": "first"}"#, in: item)
    #expect(try token() == #"{"token": "first"}"#)
    try keyring().store("second-s3cret", in: item)
    #expect(try token() == #"{"token": "first"}"#)
    #expect(try token(true) == "second-s3cret" && token() == "second-s3cret")
    #expect(blanking.text("<second-s3cret>") == "<[blanked]>")
  }
}
