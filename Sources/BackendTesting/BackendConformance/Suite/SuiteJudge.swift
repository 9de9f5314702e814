public import BackendClient
public import BackendKit

/// The suite as a program sees it that opens it as a library.
public struct SuiteJudge: ConformanceJudge {
  /// The judge.
  public init() {}

  /// Every law, in the order in which they run.
  public var laws: [ConformanceLaw] {
    ConformanceSuite.laws.map { ConformanceLaw(name: $0.name, group: $0.group.rawValue, promise: $0.promise) }
  }

  /// The prefix of the mark by which the suite recognizes its own records, of any run.
  public var mark: String { ConformanceSuite.mark }

  /// The names of the laws that a run of this order judges.
  public func laws(of order: ConformanceOrder) -> [String] { Self.laws(of: order).map(\.name) }

  private static func laws(of order: ConformanceOrder) -> [Law] {
    order.laws?.compactMap(ConformanceSuite.law) ?? ConformanceSuite(ConformanceSubject(order)).lawsOfSubject
  }

  /// Judges, and hands over each line of a report for people.
  public func judge(
    _ order: ConformanceOrder, onLine: @escaping @Sendable (String) async -> Void
  ) async throws(BackendError) -> ConformanceOutcome {
    let suite = ConformanceSuite(ConformanceSubject(order))
    try await suite.reach()
    let report = await suite.run(order.laws.map { _ in Self.laws(of: order) }, failFast: order.failsFast) { result in
      if order.report == .text { await onLine(TextReport.line(result)) }
    }
    let text =
      switch order.report {
      case .text: TextReport.ending(report)
      case .junit: JUnitReport.text(report)
      case .tap: TAPReport.text(report)
      }
    return ConformanceOutcome(
      report: text, judged: report.results.count, broken: report.failures.count, isCancelled: report.isCancelled,
      loss: report.loss)
  }

  /// Removes the records that earlier runs left behind.
  public func sweep(_ order: ConformanceOrder) async throws(BackendError) -> Int {
    try await ConformanceSuite(ConformanceSubject(order)).sweep()
  }
}
