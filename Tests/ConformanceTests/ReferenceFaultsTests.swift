import BackendConformance
import BackendKit
import Testing

/// The laws about what happens beside the call itself: faults on the way, cancellation, several calls, generated queries.
enum LawsOfWays {
  static let groups: Set<LawGroup> = [.faults, .cancellation, .concurrency, .differential]
  static let laws = ConformanceSuite.laws.filter { groups.contains($0.group) }
}

@Suite("The reference keeps the laws about faults, cancellation, concurrency and generated queries")
struct ReferenceFaultsTests {
  static let references = [
    Reference(.all, description: "unpaged"),
    Reference(.all, filtering: .loose, description: "unpaged, loose filters"),
    Reference(
      Capabilities(
        operations: Set(Capabilities.Operation.allCases), paging: .offset, pageCap: 5, defaultPageSize: 4,
        hasTotal: true, unlistedFields: ["body"], hasSearch: true),
      revisionField: "revision", description: "by offset, with revisions and a field that lists leave out"),
    Reference(
      Capabilities(
        operations: Set(Capabilities.Operation.allCases), paging: .pageNumber, defaultPageSize: 5, update: .replace),
      filtering: .none, form: .text, announcesEnd: false, description: "by page number, replacing"),
    Reference(
      Capabilities(
        operations: Set(Capabilities.Operation.allCases), paging: .cursor, stability: .stable, update: .replace),
      revisionField: "revision", description: "by cursor, replacing with revisions"),
    Reference(Capabilities(operations: [.list, .get]), description: "read alone"),
    Reference(
      Capabilities(operations: Set(Capabilities.Operation.allCases), writes: .echoed), description: "echoing"),
  ]

  @Test("with any capabilities", arguments: references)
  func keeps(_ reference: Reference) async {
    let report = await ConformanceSuite(reference.subject()).run(LawsOfWays.laws)
    for result in report.results { if let breach = result.breach { Issue.record("\(result.law): \(breach)") } }
    #expect(report.results.count == LawsOfWays.laws.count)
    #expect(report.leftBehind == [])
  }
}
