import BackendConformance
import BackendKit
import Testing

@Suite("A status by which a service says that a record is not there") struct MissingStatusTests {
  /// Returns the law's report on a service that uses the status 403 for records that do not exist.
  private func report(declares: Bool, hooks: Service.Hooks = Service.Hooks()) async throws -> ConformanceReport {
    var things = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer),
      fields: [FieldDescription("name", .text)])
    if declares { things.missing.statuses = [403] }
    let service = Service(product: "p", resources: [things], hooks: hooks)
    let subject = ConformanceSubject("hiding", ResourcePath(name: "things"), exchange: NoRecords()) {
      RESTBackend(service, over: $0)
    }
    return await ConformanceSuite(subject).run([try #require(ConformanceSuite.law(named: "status codes of reads"))])
  }

  @Test("is that where it is declared, and elsewhere a refusal") func declared() async throws {
    #expect(try await report(declares: true).isPassed)
    #expect(try await report(declares: false).isPassed)
  }

  @Test("is not that because an adapter takes it for it") func undeclared() async throws {
    var hooks = Service.Hooks()
    hooks.classify = { failure in
      var error = failure.error
      if failure.status == 403 { error.code = .notFound }
      return error
    }
    let report = try await report(declares: false, hooks: hooks)
    #expect(report.failures.first?.breach?.expected == "the error \"forbidden\"", "\(report.failures)")
  }
}

private struct NoRecords: HTTPExchange {
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: HTTPBody(whole: Array("[]".utf8)))
  }
}
