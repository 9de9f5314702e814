public import BackendClient
public import BackendKit

/// The suite as a loaded library.
public struct SuiteJudge: ConformanceJudge {
  /// Creates the judge.
  public init() {}

  /// All laws, in the order in which they run.
  public var laws: [ConformanceLaw] {
    ConformanceSuite.laws.map { ConformanceLaw(name: $0.name, group: $0.group.rawValue, promise: $0.promise) }
  }

  /// The common prefix of the marks in the suite's records.
  public var mark: String { ConformanceSuite.mark }

  /// Returns the names of the laws that an order judges.
  public func laws(of order: ConformanceOrder) -> [String] { Self.laws(of: order).map(\.name) }

  private static func laws(of order: ConformanceOrder) -> [Law] {
    order.laws?.compactMap(ConformanceSuite.law) ?? ConformanceSuite(ConformanceSubject(order)).lawsOfSubject
  }

  /// Judges, and calls back after each law.
  public func judge(
    _ order: ConformanceOrder, onLaw: @escaping @Sendable () async -> Void
  ) async throws(BackendError) -> ConformanceOutcome {
    let suite = ConformanceSuite(ConformanceSubject(order))
    try await suite.reach()
    let laws = order.laws.map { _ in Self.laws(of: order) }
    let report = await suite.run(laws, failFast: order.failsFast) { _ in await onLaw() }
    let text =
      switch order.report {
      case .text: TextReport.text(report)
      case .junit: JUnitReport.text(report)
      case .tap: TAPReport.text(report)
      }
    return ConformanceOutcome(
      report: text, judged: report.results.count, broken: report.failures.count, isCancelled: report.isCancelled,
      loss: report.loss)
  }

  /// Removes the records left behind by earlier runs.
  public func sweep(_ order: ConformanceOrder) async throws(BackendError) -> Int {
    try await ConformanceSuite(ConformanceSubject(order)).sweep()
  }
}
