import ConsoleSupport
import Foundation
import Testing

/// Commands over many records that are killed amid their work, over a network with faults: nothing is done twice, what was said and
/// what the journal says is what the server's file holds, and what nobody knew is found out afterwards.
///
/// `SWITCHBOARD_TEST_KILLS` repeats that so many times on every backend, with ten times the records.
@Suite("Many records, and a kill") struct KilledBulkTests {
  static let rounds = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_KILLS"].flatMap { Int($0) } ?? 0
  static let count = rounds == 0 ? 200 : 2_000

  enum Work: String, CaseIterable, Sendable {
    case create, update, delete, undo
  }

  struct Kill: Sendable, CustomTestStringConvertible {
    let work: Work
    let backend: KilledBackend
    let round: Int
    var testDescription: String { "\(work) on \(backend.plugin), \(round)" }
  }

  static let kills = (0..<max(1, rounds)).flatMap { round in
    (rounds == 0 ? [KilledBackend.kitura] : KilledBackend.all).flatMap { backend in
      Work.allCases.map { Kill(work: $0, backend: backend, round: round) }
    }
  }

  @Test("nothing is done twice, and what was said is so", arguments: kills) func kill(_ kill: Kill) async throws {
    var numbers = HostileNames(row: kill.round * 10 + (Work.allCases.firstIndex(of: kill.work) ?? 0))
    let console = try await KilledConsole(kill.backend, records: kill.work == .create ? 0 : Self.count)
    let before = try console.stored()
    if kill.work == .undo {
      // The next run writes the records that a fault has kept from being written.
      while try console.stored().contains(where: { $0.title != "changed" }) {
        _ = try await console.run(console.line(.update, Self.count))
        try await console.settle()
      }
    }
    // A read of the list, and for an undo one of each record.
    let reads = kill.work == .undo ? Self.count : 0
    let place = reads + Int.random(in: 1...Self.count, using: &numbers)
    let output = try await console.killed(console.line(kill.work, Self.count), after: place)
    try await console.settle()
    let stored = try console.stored()
    let titles = stored.map(\.title)
    let comment = Comment(rawValue: "killed after \(place) requests, seed \(HostileNames.seed)")
    switch kill.work {
    case .create:
      #expect(Set(titles).count == titles.count, comment)
      #expect(console.reported("created", in: output).allSatisfy { id in stored.contains { $0.id == id } }, comment)
    case .update:
      #expect(stored.count == before.count, comment)
      #expect(
        console.reported("updated", in: output).allSatisfy { id in
          stored.contains { $0.id == id && $0.title == "changed" }
        },
        comment)
    case .delete:
      #expect(console.reported("deleted", in: output).allSatisfy { id in !stored.contains { $0.id == id } }, comment)
    case .undo:
      #expect(stored.count == before.count, comment)
      let undone = console.reported("updated", in: output)
      #expect(
        undone.allSatisfy { id in
          stored.first { $0.id == id }?.title == before.first { $0.id == id }?.title
        }, comment)
    }
    try await console.expectJournal(of: kill.work, stored, before)
    guard kill.work == .undo else { return }
    // The same command takes back the remaining writes and does not touch the ones already taken back.
    for _ in 0..<20 where try console.stored() != before {
      _ = try await console.run("undo --all-runs --writes \(Self.count) --yes")
      try await console.settle()
    }
    #expect(try console.stored() == before, comment)
  }
}
