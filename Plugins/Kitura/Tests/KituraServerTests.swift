import AdapterSupport
import BackendKit
import DemoServerSupport
import TestSupport
import Testing

/// The adapter over the demo server.
@Suite struct KituraServerTests {
  private let todos = ResourcePath(name: "todos")

  @Test("an address that ends in slashes makes no doubled one", arguments: ["", "/", "//"])
  func slashes(_ slashes: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "3"])
    let backend = try PluginLibrary("kitura").backend(ServerExchange(demo.base("kitura") + slashes))
    _ = try await backend.delete(.one("1"), from: todos)
    #expect(try await backend.page(ListQuery(todos)).records.map(\.id) == ["0", "2"])
  }

  @Test("a create whose response is lost or cut is sent once", arguments: ["hangup", "drop", "truncate"])
  func lost(_ fault: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "0"])
    let exchange = try ServerExchange(demo, "kitura", switches: "fault=\(fault), fault.on=writes")
    let backend = try PluginLibrary("kitura").backend(exchange)
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("title", "a")]), in: todos)
    }
    #expect(error?.effect == (fault == "hangup" ? .unknown : .applied))
    #expect(exchange.summaries == ["POST /"])
    #expect(try await demo.send("GET", "/kitura/").rows().count == 1)
  }
}
