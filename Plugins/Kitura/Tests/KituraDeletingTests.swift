import AdapterSupport
import BackendKit
import DemoServerSupport
import Testing

@Suite struct KituraDeletingTests {
  private let todos = KituraServer.todos

  @Test(arguments: KituraServer.profiles)
  func `a deletion removes one record, and the same again finds nothing`(profile: String) async throws {
    let server = try await KituraServer.start(seed: 3, switches: "kitura.profile=\(profile)")
    let receipt = try await server.backend.delete(.one("1"), from: todos)
    #expect(receipt.id == "1")
    #expect(try await server.stored() == 2)
    let again = await failure { () throws(BackendError) in _ = try await server.backend.delete(.one("1"), from: todos) }
    #expect(again?.code == .notFound)
    #expect(again?.effect == .rejected)
    #expect(try await server.stored() == 2)
  }

  @Test(arguments: ["", "/", "//"])
  func `an address that ends in slashes makes no doubled one`(slashes: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "3"])
    let exchange = try RecordedExchange(demo.base("kitura") + slashes)
    let backend = try PluginLibrary("kitura").backend(exchange)
    _ = try await backend.delete(.one("1"), from: todos)
    #expect(try await backend.page(ListQuery(todos)).records.map(\.id) == ["0", "2"])
    let fixture = try FixtureServer(FixtureServer.answer(204))
    let plain = try PluginLibrary("kitura").backend(RecordedExchange(fixture.address + slashes))
    _ = try await plain.delete(.one("1"), from: todos)
    #expect(fixture.requests == ["DELETE /1 HTTP/1.1"])
  }

  @Test(arguments: KituraServer.profiles)
  func `all records are deleted where that is asked for, also where there are none`(profile: String) async throws {
    let server = try await KituraServer.start(seed: 3, switches: "kitura.profile=\(profile)")
    for _ in 0..<2 {
      let receipt = try await server.backend.delete(.all, from: todos)
      #expect(receipt.id == nil)
      #expect(try await server.stored() == 0)
    }
    #expect(server.exchange.summaries == ["DELETE /", "DELETE /"])
    #expect(server.exchange.requests.allSatisfy { $0.effect == .write })
  }

  @Test func `a record that a lenient server would call deleted is looked for first`() async throws {
    let server = try await KituraServer.start(seed: 3, switches: "kitura.delete=lenient")
    let backend = try PluginLibrary("kitura").backend(server.exchange, options: [("delete", "lenient")])
    let error = await failure { () throws(BackendError) in _ = try await backend.delete(.one("9"), from: todos) }
    #expect(error?.code == .notFound && error?.effect == .rejected)
    #expect(server.exchange.summaries == ["GET /9"])
    _ = try await backend.delete(.one("1"), from: todos)
    #expect(server.exchange.summaries == ["GET /9", "GET /1", "DELETE /1"])
    #expect(try await server.stored() == 2)
  }

  @Test func `deleting several goes on record by record, and tells which one was gone`() async throws {
    let server = try await KituraServer.start(seed: 3)
    _ = try await server.demo.send("DELETE", "/kitura/1")
    var missing: [RecordID] = []
    for id in ["0", "1", "2"] as [RecordID] {
      let error = await failure { () throws(BackendError) in _ = try await server.backend.delete(.one(id), from: todos)
      }
      if error?.code == .notFound { missing.append(id) }
    }
    #expect(missing == ["1"])
    #expect(server.exchange.summaries == ["DELETE /0", "DELETE /1", "DELETE /2"])
  }

  @Test func `a deletion that a gateway never passed on leaves its failure and the record`() async throws {
    let server = try await KituraServer.start(seed: 3)
    server.exchange.set("fault=badgateway, fault.on=writes")
    let error = await failure { () throws(BackendError) in _ = try await server.backend.delete(.one("1"), from: todos) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .unknown)
  }

  @Test func `a web page does not pass for a deletion`() async throws {
    let page = FixtureServer.answer(200, [("Content-Type", "text/html")], "<html>")
    let fixture = try FixtureServer(page)
    let backend = try KituraServer.backend(fixture)
    for deletion in [Deletion.one("1"), .all] {
      let error = await failure { () throws(BackendError) in _ = try await backend.delete(deletion, from: todos) }
      #expect(error?.code == .badResponse)
      #expect(error?.effect == .unknown)
    }
  }
}
