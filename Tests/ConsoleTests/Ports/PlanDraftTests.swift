import BackendClient
import BackendKit
import Foundation
import TestSupport
import Testing

@testable import Console
@testable import ConsoleSystem

/// Plans of scripts: the writes of several commands in one file.
@Suite struct PlanDraftTests {
  private let bench: CommandBench
  private let folder: TemporaryFolder
  private let path: String
  private let origin = WriteOrigin("line 1", place: nil, rejected: .object(Object()))

  init() throws {
    bench = try CommandBench()
    folder = try TemporaryFolder()
    path = folder.path + "/s.plan"
  }

  private func place(_ backend: String) async throws -> WritePlace {
    let target = Target(backend: try bench.targets.open(backend), path: ResourcePath(name: "todos"))
    return Ledgers(bench.context()).place(target, try await target.client.resource(target.path))
  }

  private func update(_ id: String) -> (Write, JournalImage) {
    let before = JournalImage(Object([("fields", .object(Object([("title", "old")])))]))
    return (.update(ResourcePath(name: "todos"), RecordID(id), [.set("title", "b")]), before)
  }

  @Test func `the writes of a script over two backends are read back in their order`() async throws {
    let context = bench.context()
    let draft = try PlanDraft(path, context)
    let (home, work) = (try await place("home"), try await place("work"))
    let todos = ResourcePath(name: "todos")
    try draft.add(
      .create(todos, Object([("title", "a")])), before: nil, new: "new:1", from: origin, at: home, context)
    try draft.add(
      .create(todos, Object([("title", "new:1")])), before: nil, new: nil, from: origin, at: work, context)
    let (change, before) = update("new:1")
    try draft.add(change, before: before, new: nil, from: origin, at: home, context)
    try draft.finish()
    #expect(draft.summary.counts.words == "2 creations, 1 update")
    let file = try PlanFile(path)
    #expect(file.header.version == 2 && file.backends.map(\.name) == ["home", "work"])
    let entries = try file.rows.map { try file.entry($0) }
    #expect(entries.map(\.write.verb) == ["create", "create", "update"])
    #expect(entries.map(\.backend) == [nil, "work", nil] && entries.map(\.new) == ["new:1", nil, nil])
    #expect(entries[2].used == ["new:1"])
    #expect(bench.service.requests.isEmpty)
  }

  @Test func `a plan of one backend without names has the first version, whatever its texts are`() async throws {
    let context = bench.context()
    let draft = try PlanDraft(path, context)
    let home = try await place("home")
    let (change, before) = update("new:7")
    try draft.add(change, before: before, new: nil, from: origin, at: home, context)
    try draft.finish()
    #expect(try PlanFile(path).header.version == 1)
  }

  @Test func `a text that would be taken for the name of a new record is refused in a plan that has names`()
    async throws
  {
    let context = bench.context()
    let draft = try PlanDraft(path, context)
    let (home, work) = (try await place("home"), try await place("work"))
    let (change, before) = update("new:7")
    try draft.add(change, before: before, new: nil, from: origin, at: home, context)
    try draft.add(change, before: before, new: nil, from: origin, at: work, context)
    let error = #expect(throws: CommandFailure.self) { try draft.finish() }
    #expect(error?.message == "no earlier creation of the plan has the name new:7")
    draft.abandon()
    #expect(!folder.holds("s.plan"))
  }
}
