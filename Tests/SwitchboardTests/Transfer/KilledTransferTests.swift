import ConsoleSupport
import Foundation
import Testing

/// Transfers that are killed amid their work, over a network with faults: with a key nothing is lost and nothing doubled; without one
/// nothing is doubled, and each row that is not there is named.
///
/// `SWITCHBOARD_TEST_KILLS` repeats that so many times on every backend, with ten times the records.
@Suite("Transfers, and a kill") struct KilledTransferTests {
  enum Work: String, CaseIterable, Sendable {
    case importing, importingByKey, copying, syncing
  }

  struct Kill: Sendable, CustomTestStringConvertible {
    let work: Work
    let backend: KilledBackend
    let round: Int
    var testDescription: String { "\(work) on \(backend.plugin), \(round)" }
  }

  static let count = KilledBulkTests.count
  static let kills = (0..<max(1, KilledBulkTests.rounds)).flatMap { round in
    (KilledBulkTests.rounds == 0 ? [KilledBackend.kitura] : KilledBackend.all).flatMap { backend in
      Work.allCases.map { Kill(work: $0, backend: backend, round: round) }
    }
  }

  @Test("the same command makes it whole", arguments: kills) func kill(_ kill: Kill) async throws {
    let count = Self.count
    var numbers = HostileNames(row: 5_000 + kill.round * 10 + (Work.allCases.firstIndex(of: kill.work) ?? 0))
    let console = try await KilledConsole(kill.backend, records: 0)
    let command = try await prepare(kill.work, console) + " --jobs 4 --retry 5 --settle 1"
    let before = try console.stored()
    let place = Int.random(in: 1...count, using: &numbers)
    _ = try await console.killed(command, after: place)
    var again = try await console.run(command)
    for _ in 0..<30 where again.status != 0 && !again.errors.contains("the outcome of") {
      again = try await console.run(command)
    }
    let comment = Comment(
      rawValue: "killed after \(place) requests, seed \(HostileNames.seed): \(again.status) \(again.errors.suffix(500))"
    )
    let stored = try console.stored()
    let titles = stored.map(\.title)
    let expected = Set((0..<count).map { "made \($0)" })
    let doubled = titles.count - Set(titles).count
    #expect(doubled == 0, comment)
    let superfluous = Set(titles).subtracting(expected)
    #expect(superfluous.isEmpty, comment)
    let lost = expected.subtracting(titles)
    if kill.work == .importing {
      let named = lost.filter { title in
        again.errors.contains("rows.ndjson:\((Int(title.dropFirst(5)) ?? 0) + 1): an earlier run may have created it")
      }
      #expect(lost == named, comment)
    } else {
      #expect(again.status == 0, comment)
      #expect(lost.isEmpty, comment)
    }
    try await console.settle()
    try await console.expectJournal(stored, before: before, staying: expected)
  }

  /// Makes what a command needs, and returns the command.
  private func prepare(_ work: Work, _ console: KilledConsole) async throws -> String {
    let count = Self.count
    let rows = try console.rows(0..<count)
    if work == .importing { return "import it \(rows)" }
    if work == .importingByKey { return "import it \(rows) --key title" }
    try await console.run("import source \(rows)").succeeded()
    let fields = "--key title"
    if work == .copying { return "copy source it \(fields)" }
    // Half of the records are there already, and some that the source does not have.
    let target = "import it \(try console.rows(count / 2..<count + count / 20, in: "target.ndjson")) --key title"
    var there = try await console.run(target + " --retry 5 --settle 1")
    for _ in 0..<30 where there.status != 0 { there = try await console.run(target + " --retry 5 --settle 1") }
    #expect(there.status == 0, "\(there.errors)")
    return "sync source it \(fields) --delete --yes"
  }
}
