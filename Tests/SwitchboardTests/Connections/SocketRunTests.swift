import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// A container engine at a socket of this machine, as a user of the console meets it.
@Suite("Sockets in a run") final class SocketRunTests {
  private let home: ConsoleRun.Home
  private let engine: PythonServer
  private let socket: String

  init() async throws {
    home = try ConsoleRun.Home()
    // A path in the home may be too long for a socket.
    socket = "/tmp/sb-\(UUID().uuidString.prefix(8)).sock"
    engine = try await PythonServer("../Server/engine.py", [socket])
    try home.writeOwn("preset: docker\n", to: "docker.yaml")
  }

  deinit { unlink(socket) }

  private func configure(_ address: String, in file: String = "config/switchboard/config.json") throws {
    let backend = #"{"plugin": "rest", "url": "\#(address)", "description": "docker.yaml"}"#
    _ = try home.write(#"{"switchboard": 1, "backends": {"engine": \#(backend)}}"#, to: file)
  }

  private func run(_ arguments: String...) async throws -> ConsoleRun { try await ConsoleRun.run(arguments, in: home) }

  private func log() async throws -> String { try await run("-c", "request engine GET log").output }

  @Test("the preset docker works over it, with a version in the path, too", arguments: [false, true])
  func engine(hasVersion: Bool) async throws {
    let encoded = socket.replacingOccurrences(of: "/", with: "%2F")
    try configure(hasVersion ? "http+unix://\(encoded)/v1.41" : "unix://\(socket)")
    let list = try await run(
      "-c", "create engine/volumes Name=more", "-c", "list engine/volumes -o id", "-c", "list engine/containers -o id",
      "-c", "backends -o json")
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.contains("data\nmore\nc1\n"), "\(list.output)")
    #expect(list.output.contains("unix://"))
    let log = try await log()
    #expect(log.contains("POST \(hasVersion ? "/v1.41" : "")/volumes/create localhost"), "\(log)")
  }

  @Test("a restricted run reads from one that is configured, and none that is not")
  func restricted() async throws {
    try configure("unix://\(socket)")
    let list = try await run("--restricted", "-c", "list engine/volumes -o id")
    #expect((list.status, list.output) == (0, "data\n"), "\(list.errors)")
    for line in ["list rest:unix://\(socket)", "create engine/volumes Name=more"] {
      let refused = try await run("--restricted", "-c", line)
      #expect(refused.status == 2 && refused.errors.contains("not allowed with --restricted"), "\(refused.errors)")
    }
    #expect(try await !log().contains("POST"))
  }

  @Test("an address in a command is answered with the form that takes a resource")
  func given() async throws {
    try configure("unix://\(socket)")
    let place = "rest:http+unix://\(socket.replacingOccurrences(of: "/", with: "%2F"))"
    for address in ["rest:unix://\(socket)", "unix://\(socket)"] {
      let bare = try await run("-c", "list \(address)")
      #expect(bare.status == 2 && bare.errors.contains("hint: write \(place)/RESOURCE"), "\(bare.errors)")
    }
    _ = try await run("-c", "list \(place)/volumes")
    #expect(try await log().contains("GET /volumes localhost"))
  }

  @Test("a list by the method LIST is a read, in a restricted run, too")
  func listed() async throws {
    _ = try home.write(
      "resources: {names: {listRequest: {method: LIST}, records: {listPath: data.keys, valueField: name}, lists: {omit: [data]}, fields: {name: text, data: object}, identifier: {field: name}}}",
      to: "config/switchboard/docker.yaml")
    try configure("unix://\(socket)")
    let list = try await run("--restricted", "-c", "list engine/names -o id", "-c", "request engine LIST names")
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.hasPrefix("app\ndb/\n"), "\(list.output)")
  }

  @Test("a configuration that nobody trusts names no socket")
  func untrusted() async throws {
    _ = try home.write("preset: docker\n", to: "docker.yaml")
    try configure("unix://\(socket)", in: "config.json")
    let list = try await run("-c", "list engine/volumes")
    #expect(list.status == 3)
    #expect(list.errors.contains("a local socket takes effect only in a trusted configuration"))
  }

  @Test("a socket that the user may not use is one sentence", .enabled(if: geteuid() == 0))
  func denied() async throws {
    let run = try await ConsoleRun.runProgram(
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", ConsoleRun.executable.path, "-c",
        "use rest:unix://\(socket)", "-c", "list volumes",
      ],
      bytes: [], in: home, variables: ["HOME": "/", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "XDG_DATA_HOME": ""],
      directory: "/", executable: "/usr/bin/setpriv")
    #expect(run.status == 4)
    #expect(run.errors.contains("cannot connect to unix://\(socket): permission denied"), "\(run.errors)")
  }

  @Test("add looks at one, names the backend after it and goes on with the address that was given")
  func added() async throws {
    let run = try await run("-c", "add unix://\(socket) box --only /volumes --yes")
    #expect(run.status == 0, "\(run.errors)")
    let file = home.folder.path + "/config/switchboard/config.json"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("unix://\(socket)"), "\(text)")
    let log = try await self.run("-c", "request box GET log").output
    #expect(log.contains("GET /volumes localhost"), "\(log)")
  }
}
