import ConsoleSupport
import DemoServerSupport
import Testing

/// Records that are named by the address that they show, which is never followed.
@Suite("Records named by their addresses") struct AddressedRecordTests {
  // The todos show the addresses of another server.
  let world: World

  init() async throws { world = try await World(["k": .kitura, "g": .grails]) }

  private func run(_ command: String) async throws -> ConsoleRun { try await world.run(commands: command) }

  /// The address that the todo with an identifier shows.
  private func address(_ id: Int) async throws -> String {
    let run = try await run("get \(id) -o json")
    return try #require(run.object()["url"] as? String)
  }

  @Test("get, update and delete take it in the place of the identifier") func named() async throws {
    let address = try await address(3)
    #expect(!address.hasPrefix(world.demo.base("kitura")) && address.hasSuffix("/3"))
    for target in ["", "k ", "k/todos "] {
      let got = try await run("get \(target)\(address) -o id")
      #expect((got.status, got.output, got.errors) == (0, "3\n", ""))
    }
    try await run("update \(address) title=renamed").succeeded(printing: "updated todos/3: title\n")
    try await run("delete \(address)").succeeded(printing: "deleted todos/3\n")
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
    _ = try await world.requests()
    for command in ["get \(address)", "update \(address) title=x", "delete \(address)"] {
      let run = try await run(command)
      #expect(run.status == 2 && run.output.isEmpty, "\(run.errors)")
    }
    #expect(try await world.requests() == 0)
  }

  @Test("a backend whose records show none takes no address for one") func none() async throws {
    let run = try await run("get g http://localhost:8080/3")
    #expect(run.status == 2 && run.output.isEmpty)
  }
}
