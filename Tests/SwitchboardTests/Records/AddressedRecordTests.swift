import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Records that are named by the address that they show, which is never followed.
@Suite("Records named by their addresses") struct AddressedRecordTests {
  let home: ConsoleRun.Home
  let demo: Demo
  let config: String

  init() async throws {
    home = try ConsoleRun.Home()
    // The todos show the addresses of another server.
    demo = try await Demo.start(["--memory"])
    config = try home.write(
      """
      {"switchboard": 1, "default": "k", "backends": {
        "k": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"},
        "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"}}}
      """, to: "a.json")
  }

  private func run(_ command: String) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config, "-c", command], in: home)
  }

  /// The address that the todo with an identifier shows.
  private func address(_ id: Int) async throws -> String {
    let run = try await run("get \(id) -o json")
    let record = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    return try #require(record["url"] as? String)
  }

  @Test("get, update and delete take it in the place of the identifier") func named() async throws {
    let address = try await address(3)
    #expect(!address.hasPrefix(demo.base("kitura")) && address.hasSuffix("/3"))
    for target in ["", "k ", "k/todos "] {
      let got = try await run("get \(target)\(address) -o id")
      #expect((got.status, got.output, got.errors) == (0, "3\n", ""))
    }
    let updated = try await run("update \(address) title=renamed")
    #expect((updated.status, updated.output) == (0, "updated todos/3: title\n"), "\(updated.errors)")
    let deleted = try await run("delete \(address)")
    #expect((deleted.status, deleted.output) == (0, "deleted todos/3\n"), "\(deleted.errors)")
    #expect(try await run("get 3").status == 1)
  }

  @Test(
    "a record that shows another address is left alone",
    arguments: ["http://other.example/3", "http://localhost:8080/3/", "/3", "https://localhost:8080/3"])
  func another(address: String) async throws {
    let before = try await run("get 3 -o json").output
    for command in ["update \(address) title=x", "delete \(address) --yes", "delete 4 \(address) --yes"] {
      let run = try await run(command)
      #expect(run.status != 0 && run.output.isEmpty)
    }
    #expect(try await run("get 3 -o json").output == before)
    #expect(try await run("get 4").status == 0)
  }

  @Test(
    "what is not the address of a record is refused before anything is sent",
    arguments: [
      "http://localhost:8080/", "http://localhost:8080", "http://localhost:8080/3?x=1", "http://localhost:8080/3#a",
      "http://localhost:8080/%ff", "http://localhost:8080/x", "/", "http://localhost:8080/+3",
    ])
  func wrong(address: String) async throws {
    _ = try await demo.send("DELETE", "/_demo/requests")
    for command in ["get \(address)", "update \(address) title=x", "delete \(address)"] {
      let run = try await run(command)
      #expect(run.status == 2 && run.output.isEmpty, "\(run.errors)")
    }
    let counts = try await demo.send("GET", "/_demo/requests").object()
    #expect(counts["total"] as? Int == 0)
  }

  @Test("a backend whose records show none takes no address for one") func none() async throws {
    let run = try await run("get g http://localhost:8080/3")
    #expect(run.status == 2 && run.output.isEmpty)
  }
}
