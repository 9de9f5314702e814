import BackendKit
import ConsoleSupport
import DemoServerSupport
import Testing

@Suite("The order of a record's members") struct MemberOrderTests {
  private static let described = ["id", "title", "user", "order", "completed", "url"]

  @Test("is the service's for programs and the described one for people") func orders() async throws {
    let home = try ConsoleRun.Home()
    let demo = try await Demo.start(["--memory", "--seed", "40", "--set", "kitura.keys=shuffled"])
    func output(_ command: String) async throws -> [Substring] {
      let run = try await home.run(commands: command).succeeded()
      return run.output.split(separator: "\n")
    }
    let target = "kitura:\(demo.base("kitura"))"
    let orders = try await output("list \(target) --all -o ndjson").map { line in
      try #require(try JSONReader.read(String(line)).object).names
    }
    #expect(orders.count == 40 && orders.allSatisfy { Set($0) == Set(Self.described) })
    // Forty equal ones out of 720 orders would be a wonder.
    #expect(Set(orders).count > 1)
    let header = try await output("list \(target) --all -o csv").first
    #expect(header?.split(separator: ",").map(String.init) == Self.described)
    let shown = try await output("get \(target) 1").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(shown.filter(Self.described.contains) == Self.described)
  }
}
