import ConsoleSupport
import Foundation
import Testing

/// Lists whose rows have other fields, and values of another type, than single records.
@Suite("Two shapes of a record") struct TwoShapesTests {
  let service: ProofService

  init() async throws { service = try await ProofService() }

  private func home(_ rank: String, _ lists: String = "omit: [state]") throws -> ConsoleRun.Home {
    try ConsoleRun.Home(
      [DescribedBackend("s", "\(service.address)/shapes", by: "shapes")], default: "s",
      describing: [
        "shapes": """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        resources:
          items:
            lists: {\(lists)}
            additionalFields: true
            fields:
              id: {type: integer, readOnly: true}
              title: text
              state: text
              rank: \(rank)
        """
      ])
  }

  @Test(
    "fields that only a list has are there once the others are read",
    arguments: [
      "list items --all -o ndjson --fields id,phase,state", "list items state=open --all -o ndjson --fields id,phase",
      "list items --where 'phase = p1 and state = open' --all -o ndjson", "list items --search open --all -o ndjson",
      "list items --sort state,id --all -o ndjson", "export items", "export items --where 'phase = p0 or state = open'",
      "sql SELECT phase, state FROM s.items WHERE id = 7",
    ])
  func kept(command: String) async throws {
    let run = try await home("integer", "omit: [state], only: [phase]").run(commands: command).succeeded()
    #expect(run.output.contains("p1"), "\(run.output)")
  }

  @Test("a condition that reads both shapes is judged on both") func both() async throws {
    let run = try await home("integer").run(
      commands: "list items --where 'phase = p1 and state = open' --all -o id\n"
        + "count items --where 'phase = p0 or state = done'\nlist items state=open rank>9 --sort -rank --all -o id"
    ).succeeded()
    #expect(run.output == "1\n3\n5\n7\n9\n11\n6\n12\n11\n10\n", "\(run.output)")
  }

  @Test(
    "a field of two types decides nothing without a described one",
    arguments: [
      "list items state=open rank>9 --all", "list items --where 'state = done or rank > 9' --all",
      "list items state=open --sort rank --all", "import items FILE --key rank --dry-run",
    ])
  func refused(command: String) async throws {
    let home = try home("any", "omit: [state]")
    let file = try home.write(#"{"rank": 3, "state": "done"}"# + "\n", to: "t.ndjson")
    let run = try await home.run(commands: command.replacing("FILE", with: file))
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("rank is a number in lists and a text in single records"), "\(run.errors)")
  }

  @Test("it is named where it is only shown, and the described type decides where there is one") func named()
    async throws
  {
    let shown = try await home("any").run(commands: "list items state=open --all -o ndjson").succeeded()
    #expect(shown.output.contains(#""rank":"12""#), "\(shown.output)")
    #expect(shown.errors.components(separatedBy: "rank is a number in lists").count == 2, "\(shown.errors)")
    let typed = try await home("integer").run(commands: "list items state=open --sort rank --all -o ndjson").succeeded()
    #expect(typed.output.contains(#""rank":12"#) && !typed.errors.contains("in lists"), "\(typed.output)")
    #expect(typed.output.split(separator: "\n").last?.contains(#""id":12"#) == true, "\(typed.output)")
  }

  @Test("an export that is given back changes nothing, and a change does not conflict with what only lists show")
  func givenBack() async throws {
    let home = try home("integer", "omit: [state], only: [phase]")
    let file = home.folder.path + "/t.csv"
    try await home.run(commands: "export items --to \(file)").succeeded()
    let same = try await home.run(commands: "import items \(file) --key id\ndiff --from \(file) items --key id")
      .succeeded()
    #expect(same.output == "s/items: 12 unchanged\nno differences\n", "\(same.output)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    _ = try home.write(text.replacing("item 3", with: "new"), to: "t.csv")
    let changed = try await home.run(commands: "import items \(file) --key id --recheck").succeeded()
    #expect(changed.output.contains("1 updated"), "\(changed.output)\(changed.errors)")
    let plan = home.folder.path + "/plan.json"
    try await home.run(
      commands: "plan --to \(plan) update items title=x --where 'phase = p1 and state = open'\napply \(plan) --yes"
    ).succeeded()
    #expect(try service.item("shapes", 5)?["title"] as? String == "x")
  }
}
