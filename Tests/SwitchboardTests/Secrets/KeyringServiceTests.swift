import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The keyring of gnome-keyring, on a session bus of the test's own. `Scripts/long keyring` installs what it needs.
@Suite(
  .enabled(
    if: ["gnome-keyring-daemon", "dbus-run-session", "secret-tool"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }))
struct KeyringServiceTests {
  @Test func `gnome-keyring keeps a token, gives it to later runs, and loses it with the logout; locked it gives none`()
    async throws
  {
    let home = try ConsoleRun.Home()
    let server = try SocketServer { _ in SocketServer.json(200, "[]") }
    try home.writeOwn(
      #"{"switchboard": 1, "default": "b", "backends": {"b": {"plugin": "kitura", "url": "\#(server.address)/", "resource": "todos", "login": {"kind": "bearer"}, "credentials": {"token": {"keyring": "switchboard/b"}}}}}"#
    )
    let script = try home.writeProgram(
      """
      export XDG_RUNTIME_DIR=$HOME/run
      mkdir -m 700 -p "$XDG_RUNTIME_DIR"
      case $2 in
      unlocked) printf master | gnome-keyring-daemon --unlock --components=secrets ;;
      locked) gnome-keyring-daemon --start --components=secrets ;;
      esac > /dev/null 2>&1
      shown() { echo "== $*"; "$console" "$@" 2>&1; }
      console=$1
      shown -c count
      SWITCHBOARD_PASSWORD='s3cret "of" mine' shown -c 'login b'
      shown -c count
      [ "$2" = locked ] || [ "$3" = keep ] || shown -c logout
      shown -c count
      """, to: "session.sh")
    func session(_ words: String...) async throws -> [String] {
      let run = try await ConsoleRun.runProgram(
        ["--", "/bin/sh", script, ConsoleRun.executable.path] + words, bytes: [], in: home,
        executable: "/usr/bin/dbus-run-session")
      return run.output.components(separatedBy: "== ").dropFirst().map { $0 }
    }
    let first = try await session("unlocked")
    try #require(first.count == 5, "\(first)")
    #expect(first[0].contains("the keyring has no item switchboard/b"), "\(first)")
    #expect(first[1].contains("kept in the keyring: switchboard/b"), "\(first)")
    #expect(first[2].hasSuffix("\n0\n"), "\(first)")
    #expect(first[3].contains("removed from the keyring: switchboard/b"), "\(first)")
    #expect(first[4].contains("the keyring has no item switchboard/b"), "\(first)")
    #expect(server.texts.count == 1 && server.texts[0].contains("\r\nAuthorization: Bearer s3cret \"of\" mine\r\n"))
    #expect(try await session("unlocked", "keep").last?.hasSuffix("\n0\n") == true)
    let locked = try await session("locked")
    try #require(locked.count == 4, "\(locked)")
    #expect(locked[0].contains("the keyring is locked"), "\(locked)")
    #expect(locked[1].contains("logged in to b") && locked[1].contains("later runs do not have"), "\(locked)")
    #expect(locked[2].contains("the keyring is locked"), "\(locked)")
    #expect(server.texts.count == 3)
  }
}
