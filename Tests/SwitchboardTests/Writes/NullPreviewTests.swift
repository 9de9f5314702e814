import ConsoleSupport
import Foundation
import Testing

/// Previews of nulls for a service that has no null: what is shown is what is sent.
@Suite struct NullPreviewTests {
  private static let note = "the server does not store null: order is left out of the record"

  @Test func `a dry run says before the write that a null clears the field`() async throws {
    let console = try await JournalConsole()
    let request = "PUT /1 {\"title\":"
    for words in ["order:=null", "--unset order"] {
      let run = try await console.run("update todo 1 \(words) --dry-run\n").succeeded()
      #expect(run.output.hasPrefix(request) && !run.output.contains("\"order\""), "\(run.output)")
      #expect(run.errors.contains("  update todos/1  order: 2 → absent\n"), "\(run.errors)")
      #expect(run.errors.contains(Self.note) == (words == "order:=null"), "\(run.errors)")
    }
    let created = try await console.run("create todo title=x order:=null --dry-run\n").succeeded()
    #expect(created.output == "POST / {\"title\":\"x\"}\n")
    #expect(created.errors.contains("  create todos  {\"title\":\"x\"}\n"), "\(created.errors)")
    #expect(created.errors.contains(Self.note), "\(created.errors)")
    let stated = try await console.run("sql --dry-run UPDATE todo.todos SET \"order\" = NULL WHERE id = 1\n")
    #expect(stated.errors.contains("order: 2 → absent"), "\(stated.errors)")
  }

  @Test func `a plan of several has no null that is not sent`() async throws {
    let console = try await JournalConsole()
    let plan = console.home.folder.path + "/a.plan"
    let made = try await console.run("plan --to \(plan) update todo 1 2 order:=null\n").succeeded()
    #expect(made.output.contains("order: 2 → absent"), "\(made.output)\(made.errors)")
    let shown = try await console.run("plan show \(plan) -o json\n").succeeded()
    #expect(try shown.rows().allSatisfy { $0["field"] as? String == "order" && $0["after"] == nil }, "\(shown.output)")
    try await console.run("apply \(plan) --yes\n").succeeded()
    #expect(try await console.record("todo 1")["order"] == nil)
    // The note is made once, before the first write.
    let run = try await console.run("update todo 3 4 order:=null\n").succeeded()
    #expect(run.errors.components(separatedBy: Self.note).count == 2, "\(run.errors)")
  }

  @Test func `a dry run says how a value will be stored`() async throws {
    let console = try await JournalConsole()
    let run = try await console.run("update intranet 1 title=' x ' body:=null --dry-run\n").succeeded()
    #expect(run.errors.contains("title is stored without the white space around it"), "\(run.errors)")
    #expect(run.errors.contains(" → null\n"), "\(run.errors)")
  }
}
