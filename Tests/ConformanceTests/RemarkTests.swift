import BackendConformance
import BackendKit
import Testing

/// Remarks beside a verdict, on what a law could not see.
@Suite("Remarks") struct RemarkTests {
  private func result(_ name: String, of subject: ConformanceSubject) async throws -> LawResult {
    let law = try #require(ConformanceSuite.law(named: name))
    return try #require(await ConformanceSuite(subject).run([law]).results.first)
  }

  /// Seven records, and a described cap that more than seven records would have to show.
  private let large: Reference = {
    var reference = Reference.paged
    reference.resource.description.capabilities.pageCap = 1_000
    reference.resource.description.capabilities.defaultPageSize = 100
    return reference
  }()

  @Test("a cap and a default size that the list is too short for are not reported as checked")
  func untried() async throws {
    let sizes = try await result("page sizes", of: large.subject())
    #expect(sizes.words == "passed")
    // One record was created so that a page size divides their number.
    #expect(
      sizes.remark
        == "page at the cap, page above the cap: the list has 8 records, not more than the cap of 1000; "
        + "default page size: the list has 8 records, fewer than the default size of 100")
    #expect(TextReport.line(sizes).hasPrefix("passed          paging: page sizes (page at the cap, "))
    let cap = try await result("page at the cap", of: large.subject())
    #expect(cap.reasonNotApplicable == "the list has 7 records, not more than the cap of 1000")
    #expect(try await result("page sizes", of: Reference.paged.subject()).remark == nil)
  }

  @Test("a cap that is larger than the real one breaks the law if the list is long enough to show it")
  func smaller() async throws {
    let subject = large.subject { backend, exchange in
      var broken = BrokenBackend(inner: backend, exchange: exchange)
      broken.query = { query, _ in query.pageSize = min(query.pageSize ?? 3, 3) }
      return broken
    }
    #expect(try await result("page at the cap", of: subject).breach?.expected == "the first 7 records of 7")
  }

  @Test("where it is not known what fields take, that is the reason, and not that there are none")
  func restricted() async throws {
    var reference = Reference.paged
    for place in reference.resource.description.fields.indices
    where ["priority", "price"].contains(reference.resource.description.fields[place].name) {
      reference.resource.description.fields[place].isLimited = true
    }
    let numbers = try await result("numbers are preserved", of: reference.subject())
    #expect(numbers.reasonNotApplicable == "no accepted value is known for priority, price")
    #expect(try await result("writable fields", of: reference.subject()).remark == nil)
    for place in reference.resource.records.indices { reference.resource.records[place]["price"] = nil }
    #expect(
      try await result("writable fields", of: reference.subject()).remark
        == "no accepted value is known for price")
  }

  @Test("conditions that the service ignores are named where they may let too much through")
  func ignored() async throws {
    let loose = Reference(.all, filtering: .loose)
    let subject = loose.subject { backend, exchange in
      var broken = BrokenBackend(inner: backend, exchange: exchange)
      broken.query = { query, _ in query.filters = [] }
      return broken
    }
    let remark = try await result("superset loses nothing", of: subject).remark
    #expect(
      remark?.hasPrefix("the service may ignore these conditions, which left out no record: id =, title =") == true)
    #expect(try await result("superset loses nothing", of: loose.subject()).remark == nil)
  }
}
