import ConsoleSupport
import Testing

@Suite("The last result again") struct AgainTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  @Test("a list is shown in other formats, as it was when the server was asked") func list() async throws {
    let run = try await console.run(
      "-c", "list -n 2 --fields id -o tsv", "-c", "delete 1 --yes", "-c", "again json", "-c", "again -o id", "-c",
      "again csv --fields id,title --no-header")
    #expect(run.status == 0)
    let json = #"[\#n  {\#n    "id": 1\#n  },\#n  {\#n    "id": 2\#n  }\#n]\#n"#
    let parts = run.output.split(separator: "deleted announcements/1\n", maxSplits: 1)
    #expect(parts.first == "id\n1\n2\n")
    let again = String(parts.last ?? "")
    #expect(again.hasPrefix(json + "1\n2\n1,"))
  }

  @Test("one record is an object, several asked for by name are a list") func single() async throws {
    let one = try await console.run("-c", "get 3 -o id", "-c", "again ndjson", "-c", "again json")
    #expect(one.output.hasPrefix("3\n{\"id\":3,"))
    #expect(one.output.contains("\n{\n  \"id\": 3,"))
    let several = try await console.run("-c", "get 3 4 -o id", "-c", "again json --fields id")
    #expect(several.output.hasPrefix("3\n4\n[\n"))
  }

  @Test("what was not kept is reported") func cut() async throws {
    let run = try await console.run("-c", "list placeholder/todos --limit 150 -o id", "-c", "again id")
    #expect(run.output.split(separator: "\n").count == 250)
    #expect(run.errors.hasSuffix("only the first 100 records of the result were kept; the command itself shows all\n"))
  }

  @Test(
    "without a result, or with a wrong word, it says so",
    arguments: [
      ("again", "2 there is no result to show again (list and get show one)\n"),
      ("again jsn", "2 unknown format \"jsn\" (did you mean json?)\n"),
      ("again json -o id", "2 again takes one format, but two were given\n"),
    ])
  func wrong(command: String, complaint: String) async throws {
    #expect(try await console.complaint(command) == complaint)
  }
}
