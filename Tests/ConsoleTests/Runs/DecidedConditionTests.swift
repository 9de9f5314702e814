import BackendKit
import ConsoleSupport
import Testing

@testable import BackendClient
@testable import Console

/// The words on who decides the conditions of a list: a condition that the service narrows is not called local.
@Suite struct DecidedConditionTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  private func words(_ conditions: (String, Fidelity)...) -> String? {
    conditions.map { ListCondition(name: $0, fidelity: $1) }.words
  }

  @Test func `conditions are named only if some reach the service and some do not`() {
    #expect(words() == nil)
    #expect(words(("a", .exact), ("b", .exact)) == "filtered by the service")
    #expect(words(("a", .not), ("b", .not)) == "filtered locally")
    #expect(words(("a", .superset), ("b", .exact)) == "filtered by the service, checked again locally")
    #expect(
      words(("a", .exact), ("b", .superset), ("a", .exact), ("c", .not))
        == "filtered by the service: a; by the service, checked again locally: b; locally: c")
    #expect(words(("a", .not), ("b", .exact)) == "filtered by the service: b; locally: a")
  }

  private static let lists = [
    ("userId=1", "20 of 20 records read matched (filtered by the service, checked again locally)"),
    (
      "userId=1 title!=x",
      "20 of 20 records read matched (filtered by the service, checked again locally: userId; locally: title)"
    ),
    ("--search 'no. 1' userId=1", "(filtered by the service, checked again locally)"),
    ("--search lift", "13 of 13 records read matched (searched by the service, checked again locally)"),
    ("todolist/todos user=ana", "(filtered locally)"),
    ("todolist/todos user=ana --search closed", "(filtered and searched locally)"),
  ]

  @Test(arguments: lists) func `every command on a list says who filters it`(_ words: String, _ says: String)
    async throws
  {
    let target = words.contains("todolist") ? "" : "placeholder/todos "
    for command in ["list \(target)\(words) --all -o id", "count \(target)\(words)", "export \(target)\(words) --to -"]
    {
      let run = try await console.run("-c", command)
      #expect(run.status == 0 && run.errors.contains(says), "\(command): \(run.errors)")
    }
  }

  @Test func `other work and a reached limit are told beside it`() async throws {
    let decided = "filtered by the service, checked again locally"
    let counted = try await console.run("-c", "list placeholder/todos userId=1 --count-by completed")
    #expect(counted.errors == "20 of 20 records read matched (\(decided); counted locally)\n")
    let sorted = try await console.run("-c", "list placeholder/todos userId=1 --sort -title -o id --all")
    #expect(sorted.errors.contains("(\(decided); sorted locally)\n"), "\(sorted.errors)")
    let cut = try await console.run("-c", "list placeholder/todos userId=1 --max-scan 1 -o id")
    #expect(cut.errors.contains("scan limit reached after 1 record read (\(decided))\n"), "\(cut.errors)")
  }
}
