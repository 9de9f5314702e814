import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// A plugin that is a program, as a user meets it.
@Suite struct ProgramRunTests {
  private let home: ConsoleRun.Home
  private static let example = ConsoleRun.root.path + "/Plugins/Examples/python-todos"

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ arguments: String..., plugins: String = example) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--plugin-path", plugins] + arguments, in: home)
  }

  /// A backend in the configuration, at an address that nobody listens at.
  private func configure(_ plugin: String) throws {
    _ = try home.write(
      #"{"switchboard": 1, "default": "it", "backends": {"it": {"plugin": "\#(plugin)", "url": "http://127.0.0.1:1"}}}"#,
      to: "backends.json")
  }

  /// A plugin in Python that says its process, and then hangs where it is asked to decode something.
  private func writePlugin() throws -> String {
    let path = try home.writeProgram(
      """
      #!/usr/bin/env python3
      import json, os, sys, time
      for line in sys.stdin:
          asked = json.loads(line)
          answer = {"switchboard": 1, "name": "mine", "version": "1", "summary": "mine", "answers": ["itemPath"]}
          if asked["ask"] == "describe": answer = {"description": {"product": f"process-{os.getpid()}", "resources": {"things": {}}}}
          if asked["ask"] == "itemPath": time.sleep(100000)
          print(json.dumps({"number": asked["number"], "answer": answer}), flush=True)

      """, to: "switchboard-mine")
    try configure("mine")
    return path
  }

  /// Starts the console with that plugin.
  private func start() throws -> RunningProgram {
    _ = try writePlugin()
    return try ConsoleRun.start(
      ["--plugin-path", home.folder.path, "--config", home.folder.path + "/backends.json", "--stream"], in: home)
  }

  @Test func `the example reads and writes the todos of the demo`() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "3"])
    let todos = "python-todos:\(demo.base("kitura"))/todos"
    let list = try await run("-c", "list \(todos) -o id")
    #expect((list.status, list.output) == (0, "0\n1\n2\n"), "\(list.errors)")
    let written = try await run(
      "-c", "create \(todos) title=Milk", "-c", "update \(todos) 3 --unset title", "-c", "get \(todos) 3 -o json",
      "-c", "delete \(todos) 3", "-c", "count \(todos)")
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.contains("created todos/3") && written.output.hasSuffix("3\n"), "\(written.output)")
    #expect(!written.output.contains("\"title\""))
    let missing = try await run("-c", "get \(todos) 99")
    #expect(missing.errors.contains("there is no record 99"), "\(missing.errors)")
    let described = try await run("-c", "describe \(todos)")
    #expect(described.output.contains("python-todos 1.0.0"), "\(described.output)\(described.errors)")
  }

  @Test func `the example keeps every law`() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "30"])
    let judged = try await run("-c", "conformance python-todos:\(demo.base("kitura"))/todos --yes")
    #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
    #expect(judged.output.contains(" laws: 0 failed"), "\(judged.output)")
  }

  @Test func `neither a list of plugins nor Tab starts it`() async throws {
    _ = try writePlugin()
    let home = home.folder.path
    let listed = try await run("-c", "plugins", "-c", "plugins mine", plugins: home)
    #expect(listed.output.contains("program"), "\(listed.output)\(listed.errors)")
    let config = home + "/backends.json"
    for line in ["list it/", "get ", "describe it/"] {
      _ = try await run("--complete", "switchboard --config \(config) --plugin-path \(home) -c '\(line)", plugins: home)
    }
    #expect(!FileManager.default.fileExists(atPath: home + "/state/switchboard/plugins/mine"))
    let used = try await run("--config", config, "-c", "describe", plugins: home)
    #expect(used.output.contains("things"), "\(used.output)\(used.errors)")
    #expect(FileManager.default.fileExists(atPath: home + "/state/switchboard/plugins/mine"))
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `it ends with the console, however that ends`(_ signal: Int32) async throws {
    let console = try start()
    try console.type("describe it\n")
    _ = try await console.expect("things")
    let children = ProcessTable.children(of: console.id)
    #expect(children.count == 1)
    _ = try await console.end(by: signal)
    for child in children { #expect(try await ProcessTable.waitForEnd(of: child)) }
  }

  @Test func `Ctrl-C ends a question that hangs`() async throws {
    let console = try start()
    try console.type("describe it\nget it/things 1\n")
    _ = try await console.expect("things")
    let ending = try await console.end(by: SIGINT)
    #expect(ending.status == 130, "\(ending.errors)")
  }

  @Test func `a program that is not one says so and touches no other backend`() async throws {
    let file = try home.writeProgram("echo\n", to: "switchboard-odd")
    try configure("odd")
    let run = try await run("--config", home.folder.path + "/backends.json", "-c", "list it", plugins: home.folder.path)
    #expect(run.status == 3)
    #expect(run.errors.contains("\(file) is not a program"), "\(run.errors)")
  }
}
