import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Fields that the service changes with each read.
@Suite("Fields that change on their own") struct VolatileFieldTests {
  private let server: PythonServer

  init() async throws { server = try await PythonServer("../Server/counting.py") }

  private func home(
    _ reads: String, stats: String = "{type: object, fields: {views: {type: integer, volatile: true}}}"
  ) throws -> ConsoleRun.Home {
    try ConsoleRun.Home(
      [DescribedBackend("n", server.address, by: "notes", more: #", "resource": "notes""#)], default: "n",
      describing: [
        "notes": """
        page: {style: none}
        update: {method: PATCH}
        delete: {}
        resources:
          notes:
            identifier: {type: integer}
            fields: {id: {type: integer, readOnly: true}, text: text, reads: \(reads), stats: \(stats)}
        """
      ])
  }

  private func run(_ script: String, in home: ConsoleRun.Home) async throws -> ConsoleRun {
    try await home.run(script + "\n", ["--on-error", "continue"])
  }

  @Test("a plan is applied and undone whatever they have become since") func volatile() async throws {
    let home = try home("{type: integer, volatile: true}")
    let plan = home.folder.path + "/a.plan"
    let described = try await run("describe n/notes", in: home)
    #expect(described.output.contains("read-only, volatile"), "\(described.output)")
    let refused = try await run("update 1 reads=7", in: home)
    #expect(refused.errors.contains("reads of notes is read-only"), "\(refused.errors)")
    let applied = try await run("plan --to \(plan) update 2 text=new\nget 2 -o id\napply \(plan) --yes", in: home)
    #expect(applied.status == 0, "\(applied.errors)")
    let undone = try await run("undo --all-runs --yes\nget 2 -o json", in: home)
    #expect(undone.status == 0 && undone.output.contains(#""text": "note 2""#), "\(undone.output)\(undone.errors)")
  }

  @Test("if they are not described so, the conflict says how") func compared() async throws {
    let home = try home("{type: integer, readOnly: true}")
    let plan = home.folder.path + "/a.plan"
    let refused = try await run("plan --to \(plan) update 2 text=new\napply \(plan) --yes", in: home)
    #expect(
      refused.status != 0 && refused.errors.contains("the record has changed since the plan"), "\(refused.errors)")
    #expect(
      refused.errors.contains("if the service changes reads on its own, describe it as volatile: true"),
      "\(refused.errors)")
  }
}
