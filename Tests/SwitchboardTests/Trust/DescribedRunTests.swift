import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The rights of a description depend on who trusts the configuration that names it.
@Suite struct DescribedRunTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func configure(_ demo: Demo, file: String = "todos.yaml") throws {
    _ = try home.write(
      """
      {"switchboard": 1, "backends": {"found": {
        "plugin": "rest", "url": "\(demo.base("kitura"))", "description": "\(file)"}}}
      """, to: "config.json")
  }

  @Test func `in a folder that nobody trusts a description is data: no hook, no login, no file elsewhere`() async throws
  {
    let demo = try await Demo.start(["--memory", "--seed", "3"])
    try configure(demo)
    let plain = "resources: {todos: {paths: {collection: /}, identifier: {type: integer}}}\n"
    _ = try home.write(plain, to: "todos.yaml")
    let data = try await home.run(commands: "count found/todos")
    #expect((data.status, data.output) == (0, "3\n"), "\(data.errors)")

    _ = try home.write("login: {kind: bearer}\n" + plain, to: "todos.yaml")
    let login = try await home.run(commands: "count found/todos")
    #expect((login.status, login.output) == (0, "3\n"), "\(login.errors)")

    _ = try home.write("hooks: {decodeRecord: kitura/todos}\n" + plain, to: "todos.yaml")
    let hook = try await home.run(commands: "count found/todos")
    #expect(hook.status == 3)
    #expect(hook.errors.contains("a hook takes effect only in a trusted configuration"), "\(hook.errors)")

    try FileManager.default.createDirectory(
      at: home.folder.appending(path: "elsewhere"), withIntermediateDirectories: true)
    for file in ["/etc/hostname", "../todos.yaml", "elsewhere/../../todos.yaml"] {
      try configure(demo, file: file)
      let far = try await home.run(commands: "count found/todos")
      #expect(far.status != 0)
      #expect(far.errors.contains("config.json is ignored"), "\(far.errors)")
    }
  }

  @Test func `a description that has changed ends the trust in its configuration`() async throws {
    let demo = try await Demo.start(["--memory", "--seed", "3"])
    try configure(demo)
    let text =
      "hooks: {decodeRecord: kitura/todos}\nresources: {todos: {paths: {collection: /}, identifier: {type: integer}}}\n"
    _ = try home.write(text, to: "todos.yaml")
    let trust = try await home.run(commands: "config trust")
    #expect(trust.status == 0 && (trust.output + trust.errors).contains("todos.yaml"), "\(trust.output)\(trust.errors)")
    #expect(try await home.run(commands: "count found/todos").output == "3\n")
    _ = try home.write(text + "product: other\n", to: "todos.yaml")
    let changed = try await home.run(commands: "count found/todos")
    #expect(changed.status == 3)
    #expect(changed.errors.contains("todos.yaml has changed since"), "\(changed.errors)")
  }
}
