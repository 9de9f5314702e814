import BackendClient
import BackendKit
import Testing

@Suite("Conditions that are computed") struct FormulaTests {
  /// Holds for an odd place, and cannot be computed of the place 2.
  private static let formula = Formula("odd(place)", paths: [FieldPath("place")]) { fields in
    let place = fields["place"]?.integer ?? 0
    return place == 2 ? .failure(.invalid("2 is not taken")) : .success(.bool(!place.isMultiple(of: 2)))
  }

  private func client() -> Client {
    Client(
      name: "shelf",
      backend: PagesBackend(
        pages: ["": PagesBackend.Page(ids: ["a", "b", "c", "d"], next: nil, total: 4)], paging: .offset))
  }

  @Test("The client decides them, and reports a record of which they cannot be computed")
  func list() async throws {
    let query = ListQuery(.notes, filters: [.computed(Self.formula)])
    let gathered = try await client().gather(ListRequest(query))
    let summary = gathered.summary
    #expect(gathered.records.compactMap(\.id?.text) == ["b", "d"])
    #expect(summary.unreadable.map(\.place) == [3])
    #expect(summary.unreadable.map(\.reason) == ["c: 2 is not taken"])
  }

  @Test("No backend is asked for one, also not within another condition")
  func plan() async throws {
    let named = Filter.compare(FieldPath("id"), .equal, .word("a"))
    let query = ListQuery(.notes, filters: [named, .or([named, .computed(Self.formula)]), named], skip: 1)
    let plan = try await client().explain(ListRequest(query))
    #expect(plan.filters == [.not, .not, .not])
    #expect(plan.skip == .not)
    #expect(plan.notes == ["formulas are computed locally"])
  }

  @Test("What stands before one decides, and its opposite does not take what failed")
  func judged() throws {
    let record = Object([("place", .int(2))])
    #expect(throws: BackendError.self) { try QueryRules.judge(.not(.computed(Self.formula)), record) }
    #expect(!QueryRules.matches(.not(.computed(Self.formula)), record))
    #expect(
      try QueryRules.judge(.or([.compare(FieldPath("place"), .equal, .word("2")), .computed(Self.formula)]), record))
  }

  @Test("A change is computed of the record as it is")
  func change() throws {
    let change = PartChange(
      ["place"],
      computing: Formula("place + 1", paths: [FieldPath("place")]) { fields in
        .success(.int((fields["place"]?.integer ?? 0) + 1))
      })
    var whole: Value? = 7
    try change.computed(of: Object([("place", .int(7))])).apply(to: &whole)
    #expect(whole == 8)
    #expect(change.isRelative)
  }
}
