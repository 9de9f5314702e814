import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Holds that the console writes in one way. What an object file refers to shows which sources call a function, however they spell it.
@Suite struct OneWayToWriteTests {
  /// The sources of the console whose code refers to a symbol, by the names of their object files; nil if the build has one object for
  /// all of them, as that of a release.
  private static func callers(of symbol: String) throws -> Set<String>? {
    let objects = try ConsoleSources.modules.flatMap { module in
      let folder = URL(fileURLWithPath: BuiltFolder.ofTests.path).appending(path: "\(module).build")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift.o") }
        .map { folder.appending(path: $0).path }
    }
    guard objects.count > 100 else { return nil }
    let names = ["nm", "-A", "-u"] + objects
    let lines = try Program.run(names).split(separator: "\n").filter { $0.contains(symbol) }
    let found = lines.compactMap { line in
      line.split(separator: ":").first.map { URL(fileURLWithPath: String($0)).lastPathComponent.dropLast(".o".count) }
    }
    // The object of a source that is gone stays in the folder.
    let sources = try ConsoleSources.files().map { URL(fileURLWithPath: $0.path).lastPathComponent }
    return Set(found.map { String($0) }).intersection(sources)
  }

  @Test(
    arguments: [
      // Client.perform, the way of every write to a backend.
      ("13BackendClient0B0C7perform", ["Ledger.swift"]),
      // Client.send, which sends a request of the operator's own: a write in the ledger, a read in the command.
      ("13BackendClient0B0C4send", ["Ledger.swift", "RequestCommand.swift"]),
      // RecordDifference.messages, the fields of a conflict.
      ("13BackendClient16RecordDifferenceV8messages", ["Precondition.swift"]),
      // WriteWords.line, the line of a plan.
      ("7Console10WriteWordsV4line", ["PlanRenderer.swift"]),
      // PlanRenderer.lines, a plan: shown by the gate, and by the command plan for the file it has written.
      ("7Console12PlanRendererV5lines", ["Gate.swift", "PlanDraft.swift"]),
      // WriteRun.send, the one loop over planned writes.
      ("7Console8WriteRunV4send", ["Sending.swift"]),
      // Ledger.send: a planned write, an action that only reads, and a request of the operator's own.
      ("7Console6LedgerV4send", ["CallCommand.swift", "RequestCommand.swift", "WriteRun.swift"]),
      // Questions.isYes: before writes, and before what is no write of a record.
      (
        "7Console9QuestionsV5isYes",
        [
          "AddCommand.swift", "DescriptionChanges.swift", "EditCommand.swift", "ExtendedBackend.swift", "Gate.swift",
          "HistoryCommand.swift", "KeyringOffer.swift", "LoginProposal.swift", "SurveyRun.swift",
        ]
      ),
    ])
  func `a function that every write goes through has one caller`(symbol: String, callers: [String]) throws {
    guard let found = try Self.callers(of: symbol) else { return }
    #expect(found == Set(callers))
  }
  @Test(
    arguments: [
      // SurveyOrder: add and backends check, with --try-writes.
      ("13BackendClient11SurveyOrderV8exchange", ["AddCommand.swift", "DescriptionCheck.swift"]),
      // ConformanceOrder: conformance.
      ("13BackendClient16ConformanceOrderV__", ["ConformanceCommand.swift"]),
    ])
  func `what writes outside of the gate and the ledger is an order of one of these commands`(
    symbol: String, callers: [String]
  ) throws {
    guard let found = try Self.callers(of: symbol) else { return }
    #expect(found == Set(callers))
  }
}
