import ConsoleSupport
import Testing

/// Errors that the first request to a service without a description meets.
@Suite("Errors of a service that is given by its address") struct FirstErrorTests {
  let service: ProofService

  init() async throws { service = try await ProofService() }

  @Test(
    "each is reported as what it is, and not as a lack of resources",
    arguments: [
      ("401", "authentication required (401"), ("403", "permission denied (403"), ("404", "unknown resource \"x\""),
      ("410", "unknown resource \"x\""), ("429", "rate limit"),
      ("500", "500"), ("503", "503"), ("page", "web page"), ("broken", "JSON"), ("moved", "redirects"),
    ])
  func reported(mode: String, says: String) async throws {
    let run = try await service.run("list rest:\(service.address)/\(mode)/x")
    #expect([1, 3, 4].contains(run.status), "\(run.status) \(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.lowercased().contains(says.lowercased()), "\(run.errors)")
    #expect(run.errors.contains(service.address), "\(run.errors)")
    #expect(!run.errors.contains("several resources") && !run.errors.contains(": )"), "\(run.errors)")
  }

  @Test("a list is listed, and an address without a resource asks for one") func list() async throws {
    let run = try await service.run("list rest:\(service.address)/whole/items -o id")
    #expect((run.status, run.output) == (0, "1\n2\n3\n4\n5\n"), "\(run.errors)")
    let bare = try await service.run("list rest:\(service.address)/whole/")
    #expect(bare.status == 2 && bare.errors.contains("has no known resources"), "\(bare.errors)")
    #expect(bare.errors.contains("/RESOURCE"), "\(bare.errors)")
  }
}
