import ConsoleSupport
import Testing

/// Copies without a key that ended early, and whose source has changed since.
@Suite("A copy that ended early, and its source") struct ChangedSourceTests {
  private static let command = "copy a b --jobs 1 --max-failures 1 --settle 0"
  private let service: PagedService

  /// Has a copy of five records end at the third one, which is made and gets no response.
  init() async throws {
    service = try PagedService()
    service.empty("b")
    service.keepSilent(at: 3...3)
    let run = try await service.run(Self.command)
    #expect(run.status != 0, "\(run.errors)")
    #expect(service.codes("b") == ["c1", "c2", "c3"])
  }

  @Test("a record of it that has changed ends a script before anything is written") func changed() async throws {
    service.rename("c1", of: "a", to: "new")
    let refused = try await service.run(Self.command)
    #expect(refused.status == 1, "\(refused.output) \(refused.errors)")
    #expect(refused.errors.contains("a/things differs from the input of an earlier copy"), "\(refused.errors)")
    #expect(refused.errors.contains("--continue") && refused.errors.contains("--key"), "\(refused.errors)")
    #expect(service.writes.count == 3)
    try await service.run(Self.command + " --continue").succeeded()
    #expect(service.codes("b") == ["c1", "c2", "c3", "new", "c4", "c5"])
  }

  @Test("--restart sends all of it") func restarted() async throws {
    service.rename("c1", of: "a", to: "new")
    try await service.run(Self.command + " --restart").succeeded()
    #expect(service.codes("b") == ["c1", "c2", "c3", "new", "c2", "c3", "c4", "c5"])
  }

  @Test("one that has changed and was not sent yet ends nothing") func unsent() async throws {
    service.rename("c5", of: "a", to: "new")
    try await service.run(Self.command).succeeded()
    #expect(service.codes("b") == ["c1", "c2", "c3", "c4", "new"])
  }
}
