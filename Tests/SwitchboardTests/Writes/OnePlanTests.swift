import ConsoleSupport
import Foundation
import Testing

/// The plan of a write, whichever command makes it.
@Suite("One plan for all writing commands") struct OnePlanTests {
  let service: ProofService

  init() async throws {
    service = try await ProofService()
    // The source of copies has what the others write, and the journal an update and a deletion to take back.
    try await service.run(
      """
      update many/items 3 title=b --yes
      update whole/items 3 title=b --yes
      update whole/items title="item 3" --where "id = 3" --yes
      """
    ).succeeded()
    _ = try service.home.write(#"{"id": 3, "title": "b"}"# + "\n", to: "changed.ndjson")
    _ = try service.home.write(#"{"title": "new"}"# + "\n", to: "new.ndjson")
    _ = try service.home.write("5\n", to: "ids.txt")
    let rows = (1...4).map { #"{"id": \#($0), "title": "item \#($0)", "state": "open", "rank": \#($0)}"# }
    _ = try service.home.write(rows.joined(separator: "\n") + "\n", to: "kept.ndjson")
    _ = try service.home.write("sed -i 's/title: item 3/title: b/' \"$1\"\n", to: "editor.sh")
  }

  /// The plan that a dry run shows: the resource with the counts, and the writes, without what only one source knows.
  private func plan(_ command: String) async throws -> [String] {
    let editor = "sh \(service.home.folder.appending(path: "editor.sh").path)"
    let run = try await service.run(command + " --dry-run", variables: ["EDITOR": editor])
    #expect(run.status == 0, "\(command): \(run.errors)")
    let lines = run.errors.split(separator: "\n").map(String.init)
    let begin = lines.firstIndex { $0.hasPrefix("whole/items: ") } ?? lines.endIndex
    return lines[begin...].filter { $0.hasPrefix("whole/items: ") || $0.hasPrefix("  ") && !$0.hasPrefix("    ") }
  }

  private func head(_ text: String) -> String { "whole/items: \(text); 1 request at \(service.address)" }

  @Test(
    "an update",
    arguments: [
      "update whole/items 3 title=b", "update whole/items --from changed.ndjson",
      "update whole/items title=b --where 'id = 3'", "edit whole/items 3", "undo --all-runs", "apply update.plan",
      "import whole/items changed.ndjson --key id", "copy many/items whole/items --key id --where 'id = 3'",
      "sync many/items whole/items --key id --where 'id = 3'",
    ])
  func update(command: String) async throws {
    try await service.run("plan --to update.plan update whole/items 3 title=b").succeeded()
    #expect(try await plan(command) == [head("1 to update"), #"  update items/3  title: "item 3" → "b""#])
  }

  @Test(
    "a creation",
    arguments: [
      "create whole/items title=new", "create whole/items --from new.ndjson", "import whole/items new.ndjson",
      "apply create.plan", "copy it/items whole/items --key title --where 'title = new'",
      "sync it/items whole/items --key title --where 'title = new'", "undo --all-runs",
    ])
  func create(command: String) async throws {
    try await service.run("plan --to create.plan create whole/items title=new").succeeded()
    var (command, shown) = (command, #"  create items  {"title":"new"}"#)
    if command.contains("it/items") {
      try await service.run("create many/items title=new").succeeded()
      command = command.replacing("it/items", with: "many/items") + " --map 'title=title'"
    }
    if command == "undo --all-runs" {
      try await service.run("delete whole/items --where 'id = 5' --yes").succeeded()
      shown = #"  create items  {"title":"item 5","state":"open","rank":5}"#
    }
    let found = try await plan(command)
    #expect(found.first?.hasPrefix("whole/items: 1 to create") == true, "\(found)")
    // A copy has the other fields of the record, too.
    let isCopy = command.contains("many/items")
    #expect(isCopy ? found.last?.hasPrefix("  create items  {") == true : found.last == shown, "\(found)")
  }

  @Test(
    "a deletion",
    arguments: [
      "delete whole/items 5", "delete whole/items --from ids.txt", "delete whole/items --where 'id = 5'",
      "apply delete.plan", "undo --all-runs",
    ])
  func delete(command: String) async throws {
    try await service.run("plan --to delete.plan delete whole/items 5").succeeded()
    var shown = #"  delete items/5  {"id":5,"title":"item 5","state":"open","rank":5}"#
    if command == "undo --all-runs" {
      try await service.run("create whole/items title=new").succeeded()
      shown = #"  delete items/6  {"title":"new","state":"open","rank":6,"id":6}"#
    }
    let found = try await plan(command)
    #expect(found.first == head("1 to delete"))
    // The fields of a record stand in the order of the service.
    #expect(found.last?.hasPrefix(String(shown.prefix(18))) == true, "\(found)")
  }

  @Test("a sync plans its deletions like any other") func syncDeletes() async throws {
    let found = try await plan("sync whole/items --from kept.ndjson --key id --delete --max-delete 50%")
    #expect(found.first == "whole/items: 4 unchanged at \(service.address)", "\(found)")
    #expect(found.dropFirst().first == head("1 to delete"), "\(found)")
    #expect(found.last?.hasPrefix("  delete items/5  {") == true, "\(found)")
  }
}
