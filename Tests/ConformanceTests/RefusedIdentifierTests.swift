import BackendClient
import BackendConformance
import BackendKit
import Testing

@Suite("An identifier that makes no sense to a service") struct RefusedIdentifierTests {
  @Test("may be refused with any status; a redirect is no refusal", arguments: [400, 404, 422, 500, 503, 307])
  func refused(_ status: Int) async throws {
    let things = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .text),
      fields: [FieldDescription("name", .text)])
    let lists = FaultyExchange(
      CountingExchange(nil), .answer(status: 200, type: "application/json", body: "[]"))
    let server = FaultyExchange(lists, .answer(status: status, type: "application/json", body: "{}")) {
      $0.path.segments.count > 1
    }
    var subject = ConformanceSubject("stumbling", ResourcePath(name: "things"), exchange: server) {
      RESTBackend(Service(product: "p", resources: [things]), over: $0)
    }
    subject.isReadOnly = true
    let law = try #require(ConformanceSuite.law(named: "long identifiers"))
    let report = await ConformanceSuite(subject).run([law])
    #expect(report.isPassed == (status >= 400), "\(report.results.map(\.words))")
    #expect(report.results.first?.reasonNotApplicable == nil)
  }
}
