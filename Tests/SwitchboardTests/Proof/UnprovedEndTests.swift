import ConsoleSupport
import Foundation
import Testing

/// Lists whose end nothing proves: a service that sends ten of 45 records, and no way to a second page is known.
@Suite("Lists whose end is not proved") struct UnprovedEndTests {
  let service: ProofService

  init() async throws { service = try await ProofService() }

  @Test(
    "what needs the whole list ends with 5, says so, and writes nothing",
    arguments: [
      "count paged/items", "count probed/items", "count unsaid/items", "count inline/items", "export unsaid/items",
      "sync unsaid/items many/items --key title --delete --yes", "diff many/items unsaid/items --key title",
      "count paged/items state=open", "list paged/items --all",
      "list paged/items --sort -rank", "list paged/items state=open", "list paged/items --limit 30",
      "stats rank paged/items", "list paged/items --count-by state", "export paged/items",
      "export paged/items --where 'state = open'", "update paged/items state=done --where 'rank > 3' --yes",
      "delete paged/items --where 'rank > 3' --yes", "diff paged/items many/items --key title",
      "diff many/items paged/items --key title", "copy paged/items whole/items --key title",
      "copy whole/items paged/items --key title", "sync paged/items many/items --key title",
      "sync many/items paged/items --key title", "sync paged/items many/items --key title --delete --yes",
      "capture n = count paged/items", "for row in (list paged/items)\n  show $row.id\nend",
      "list paged/items --to all.json", "import paged/items rows.csv --key title",
    ])
  func whole(command: String) async throws {
    _ = try service.home.write("title,state\nitem 40,done\n", to: "rows.csv")
    let run = try await service.run(command)
    #expect(run.status == 5, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("the end of the list is not verified: the service sent 10 records"), "\(run.errors)")
    #expect(run.errors.contains("--trust-end"), "\(run.errors)")
    #expect(try service.writes() == [])
    if command.hasPrefix("count") { #expect(run.output == "") }
  }

  @Test("a first page is shown, with a note and without a total") func page() async throws {
    let run = try await service.run("list paged/items").succeeded()
    #expect(run.output.contains("item 10"))
    #expect(run.errors.contains("more records may exist"), "\(run.errors)")
    #expect(!(run.output + run.errors).contains("of 10"))
  }

  @Test func `next after such a page says the same, and does not claim an end`() async throws {
    let run = try await service.run("list paged/items\nnext")
    #expect(run.status == 1 && !run.errors.contains("no more pages"), "\(run.errors)")
    #expect(
      run.errors.contains("error: more records may exist, but the console does not know how to request another page"),
      "\(run.errors)")
    let trusted = try await service.run("list paged/items --trust-end\nnext")
    #expect(trusted.errors.contains("error: there are no more pages"), "\(trusted.errors)")
  }

  @Test("--trust-end accepts the end for one command") func trusted() async throws {
    let run = try await service.run("count paged/items --trust-end\nlist paged/items --all --trust-end -o id")
      .succeeded()
    #expect(run.output == "10\n" + (1...10).map { "\($0)\n" }.joined())
    let after = try await service.run("count paged/items")
    #expect(after.status == 5)
    try await service.run("copy paged/items whole/items --key title --trust-end").succeeded()
    #expect(try service.writes().count == 5)
    let alone = try await service.run("update whole/items 1 state=done --trust-end")
    #expect(alone.status == 2 && alone.errors.contains("--trust-end requires --where or --search"), "\(alone.errors)")
  }

  @Test("a list that looks whole counts, with a note") func likely() async throws {
    let run = try await service.run("count odd/items").succeeded(printing: "7\n")
    #expect(run.errors.contains("the list seems complete, but that is not verified"), "\(run.errors)")
    #expect(try await service.run("count few/items").errors == run.errors)
    let declared = try await service.run("count seven/items")
    #expect((declared.status, declared.output, declared.errors) == (0, "7\n", ""))
  }

  @Test(
    "nothing is deleted by absence from a list whose end is not proved, whatever is trusted",
    arguments: [
      "sync paged/items many/items --key title --delete --max-delete 100% --trust-end --yes",
      "sync odd/items many/items --key title --delete --max-delete 100% --yes",
      "sync few/items many/items --key title --delete --max-delete 100% --yes",
      "sync whole/items odd/items --key title --delete --max-delete 100% --yes",
      "sync whole/items paged/items --key title --delete --max-delete 100% --trust-end --yes",
    ])
  func deletion(command: String) async throws {
    let run = try await service.run(command)
    #expect(run.status == 5, "\(run.output) \(run.errors)")
    #expect(
      run.errors.contains("may be incomplete, so no record is deleted: the end of the list is not verified"),
      "\(run.errors)")
    #expect(try service.writes() == [])
  }

  @Test("absence from a list that is declared whole deletes, as before") func declared() async throws {
    try await service.run("sync whole/items seven/items --key title --delete --max-delete 100% --yes").succeeded()
    #expect(try service.writes() == ["DELETE /odd/items/6", "DELETE /odd/items/7"])
  }

  @Test("explain does not promise a total that nobody has said the service reports") func explained() async throws {
    for name in ["paged", "unsaid", "inline"] {
      let run = try await service.run("explain list \(name)/items").succeeded()
      #expect(run.output.contains("total     not reported by the server"), "\(run.output)")
      #expect(run.output.contains("the list may be incomplete"), "\(run.output)")
    }
  }

  @Test("describe does not call such a list whole") func describe() async throws {
    let run = try await service.run("describe paged/items\ndescribe whole/items\ndescribe paged/items -o json")
      .succeeded()
    #expect(run.output.contains("a list may be incomplete"), "\(run.output)")
    #expect(run.output.components(separatedBy: "returns every record at once").count == 2, "\(run.output)")
    #expect(run.output.contains(#""listEnd": "untested""#), "\(run.output)")
  }
}
