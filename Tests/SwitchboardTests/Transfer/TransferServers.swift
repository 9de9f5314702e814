import ConsoleSupport
import DemoServerSupport
import Foundation

/// Two demo servers with the same records, a third without any, and a configuration of their backends.
struct TransferServers {
  let home: ConsoleRun.Home
  let config: String
  let full: any RunningDemo
  let other: any RunningDemo
  let empty: any RunningDemo
  private let data: String

  /// On sockets where a console is started as a program.
  init(seed: Int = 20, more: [String: Any] = [:], onSockets: Bool = false) async throws {
    func start(_ arguments: [String]) async throws -> any RunningDemo {
      if onSockets { try await DemoProcess.start(arguments) } else { try await Demo.start(arguments) }
    }
    home = try ConsoleRun.Home()
    let keeps = ["--set", "jsonplaceholder.profile=json-server"]
    full = try await start(["--memory", "--seed", String(seed)] + keeps)
    other = try await start(["--memory", "--seed", "12"] + keeps)
    data = home.folder.path + "/empty.sqlite"
    empty = try await start(["--data", data, "--reset", "--seed", "0"] + keeps)
    func kitura(_ demo: any RunningDemo) -> [String: Any] { ["plugin": "kitura", "url": demo.base("kitura")] }
    var backends: [String: Any] = [
      "k": kitura(full), "k2": kitura(other), "kempty": kitura(empty),
      "g": ["plugin": "grails", "url": full.base("grails")],
      "js": ["plugin": "jsonplaceholder", "url": full.base("jsonplaceholder"), "resource": "todos"],
      "b": [
        "plugin": "baasic", "url": full.base("baasic"), "resource": "todo",
        "options": ["resources": ["todo": NSNull()]],
      ],
      // The same kind of server as js, another one, by a description.
      "d": [
        "plugin": "rest", "url": other.base("jsonplaceholder"), "resource": "todos",
        "description": TransferServers.examples + "json-server.yaml",
      ],
    ]
    backends.merge(more) { $1 }
    let content: [String: Any] = [
      "default": "k", "mappings": ["capitals": "title=upper(title), user='x', order=1"], "backends": backends,
    ]
    let text = try JSONSerialization.data(withJSONObject: content)
    config = try home.write(String(decoding: text, as: UTF8.self), to: "transfers.json")
  }

  /// Descriptions that come with the adapter of described services.
  private static let examples =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Plugins/Rest/Examples/").path + "/"

  func run(_ commands: [String], _ options: [String] = []) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + options + commands.flatMap { ["-c", $0] }, in: home)
  }

  /// Another server of the records of the empty one, with switches of its own.
  func another(_ switches: String...) async throws -> DemoProcess {
    try await DemoProcess.start(["--data", data] + switches.flatMap { ["--set", $0] })
  }

  /// A JSON object with its members in order.
  func canonical(_ text: Substring) -> String {
    let object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) ?? [:]
    let data = (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
