import ConsoleSupport
import Foundation
import Testing

/// Plans that people read, and plans that are carried out elsewhere.
@Suite("Plans for people") struct PlanShowTests {
  let console: JournalConsole
  let plan: String

  init() async throws {
    console = try await JournalConsole()
    plan = console.home.folder.path + "/a.plan"
  }

  @Test("plan show lists all changes, filtered and in any format") func shown() async throws {
    _ = try await console.run(
      "update json/todos 1 2 3 title='a|b'\nplan --to \(plan) update json/todos 1 2 3 title=new completed=true\n")
    let all = try await console.run("plan show \(plan) -o csv\n")
    #expect(all.status == 0, "\(all.errors)")
    #expect(
      all.output.hasPrefix("verb,resource,id,field,before,after\nupdate,todos,1,title,a|b,new\n"), "\(all.output)")
    #expect(all.output.split(separator: "\n").count == 7)
    let filtered = try await console.run("plan show \(plan) field=title id=2 -o markdown\n")
    #expect(
      filtered.output == """
        | verb | resource | id | field | before | after |
        | --- | --- | --- | --- | --- | --- |
        | update | todos | 2 | title | a\\|b | new |

        """, "\(filtered.output)")
    #expect(try await console.run("plan show \(plan) color=red\n").status == 2)
    #expect(try await console.run("plan show\n").status == 2)
  }

  @Test("a list is a table of Markdown") func markdown() async throws {
    let run = try await console.run("list json/todos --limit 1 --fields id,title -o markdown\n")
    #expect(run.output.hasPrefix("| id | title |\n| --- | --- |\n| 1 | "), "\(run.output)")
  }

  @Test("a plan made elsewhere finds its records by a key, and only those that are as they were")
  func elsewhere() async throws {
    let other = try await JournalConsole()
    for console in [console, other] {
      _ = try await console.run(
        "update json/todos 1 title=one\nupdate json/todos 2 title=two\nupdate json/todos 3 title=three\n")
    }
    // The same title under another identifier.
    _ = try await other.run("update json/todos 2 title=elsewhere\nupdate json/todos 4 title=two completed=false\n")
    _ = try await console.run(
      "update json/todos 2 completed=false\nplan --to \(plan) update json/todos 2 completed=true\n")
    let refused = try await other.run("apply \(plan) --on json --yes\n")
    #expect(refused.status == 2 && refused.errors.contains("by --key"), "\(refused.errors)")
    let run = try await other.run("apply \(plan) --on json --key title --yes\n")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try await other.record("json/todos 4")["completed"] as? Bool == true)
    let missing = try await other.run("update json/todos 4 title=gone\napply \(plan) --on json --key title --yes\n")
    #expect(missing.status != 0 && missing.errors.contains("has no record with title two"), "\(missing.errors)")
  }
}
