import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// The recorded exchange of an adapter in Swift, replayed to its description as data: it sends the same requests and
/// has the same results.
@Suite("Descriptions over what adapters have exchanged") struct TwinReplayTests {
  struct Twin: Sendable, CustomTestStringConvertible {
    let name: String
    let dialect: World.Dialect
    let resource: String
    let script: String

    var testDescription: String { name }
  }

  private static let twins = [
    Twin(
      name: "grails", dialect: .grails, resource: "announcements",
      script: """
        list --all -o ndjson
        list --per-page 4 --page 2 --sort -id -o ndjson
        list title~a --sort title --limit 5 -o ndjson
        count
        get 3 -o json
        create title=" a new one " body=text -o json
        update 7 title=other -o json
        update 7 --unset body -o json
        get 7 -o json
        delete 7
        get 7
        get 9999
        """),
    Twin(
      name: "kitura", dialect: .kitura, resource: "todos",
      script: """
        list --all -o ndjson
        list completed=true --sort -order -o ndjson
        list title~o --limit 3 -o ndjson
        count
        get 3 -o json
        create title="a new one" user=ana order:=9 -o json
        update 8 title=other -o json
        update 8 --unset user -o json
        get 8 -o json
        delete 8
        get 8
        get 9999
        """),
    Twin(
      name: "json-server", dialect: .jsonplaceholder, resource: "posts",
      script: """
        list --limit 25 -o ndjson
        list userId=3 --sort -id --limit 4 -o ndjson
        list --where "id in (1, 7, 77)" -o ndjson
        count userId=3
        get 3 -o json
        create title="a new one" userId:=2 -o json
        update 31 title=other -o json
        update 31 --unset title -o json
        get 31 -o json
        get 31
        get 9999
        """),
  ]

  @Test("a description asks and answers as the adapter in Swift did", arguments: twins)
  func replay(_ twin: Twin) async throws {
    let world = try await World(["it": twin.dialect], seed: 30, options: ["resource": twin.resource])
    let home = world.home
    let described = try home.write(
      """
      {"switchboard": 1, "default": "it", "backends": {"it": {"plugin": "rest", "description": "it.yaml",
        "url": "\(world.demo.base(twin.dialect.rawValue))", "resource": "\(twin.resource)"}}}
      """, to: "rest.json")
    let example = ConsoleRun.root.appending(path: "Plugins/Rest/Examples/\(twin.name).yaml")
    _ = try home.write(try String(contentsOf: example, encoding: .utf8), to: "it.yaml")
    let script = try home.write(twin.script + "\n", to: "it.sb")
    let recording = home.folder.appending(path: "it.rec").path
    let rest = [recording, "--on-error", "continue", "-f", script]
    let swift = try await world.run("", ["--record"] + rest)
    let data = try await ConsoleRun.run(["--config", described, "--replay"] + rest, in: home)
    #expect(data.output == swift.output)
    #expect(data.status == swift.status)
    #expect(data.errors == swift.errors)
    // The script comes to something on both.
    #expect(swift.output.contains("a new one"), "\(swift.errors)")
  }
}
