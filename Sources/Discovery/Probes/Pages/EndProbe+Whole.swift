import BackendKit
import ServiceDescription

/// Looking for what would refute that a list is whole.
extension EndProbe {
  /// The number of pages in which a list is read again that came in one.
  private static let parts = 4

  /// Looks for records that a response without a next page has left out: a service that sends at most so many may
  /// compute from the number asked for whether more follow. If there are some, the list is not whole.
  func refuteWhole() async throws(BackendError) {
    guard let style, style != "none", let whole = survey.whole, let most = survey.most, !whole.isEmpty,
      whole.count < most.asked, tellsEnd(most.answer)
    else { return }
    let seen = Set(survey.keys(whole))
    if isPlaced {
      let next = try await page(whole.count, size: whole.count)?.answer
      if let next, hasOthers(next, than: seen) { cut(most.answer, next) }
      return
    }
    let list = survey.proposing(sized + ending)
    let query = ListQuery(survey.path, pageSize: (whole.count + Self.parts - 1) / Self.parts)
    var page = try await list.page(query)
    for _ in 0...Self.parts {
      guard let found = page else { return }
      if hasOthers(found.answer, than: seen) { return cut(most.answer, found.answer) }
      guard let next = found.end?.next else { return }
      page = try await list.page(query, at: next)
    }
  }

  /// Takes back what said that a list ended, since records follow.
  func deny(by answer: ProbeResponse) {
    let evidence = answer.evidence("others after the last record")
    survey.claims.contradict([Key.endHasMore, Key.endNoNext, Key.total], evidence)
    survey.note("the service ends the list before its last record (\(evidence))")
    (survey.whole, survey.last, survey.total) = (nil, nil, nil)
  }

  /// Returns whether a response has records that were not seen before.
  private func hasOthers(_ answer: ProbeResponse, than seen: Set<Value>) -> Bool {
    survey.rows(of: answer)?.contains { !seen.contains(survey.key($0)) } ?? false
  }
}
