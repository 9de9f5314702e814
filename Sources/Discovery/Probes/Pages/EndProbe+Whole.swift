import BackendKit
import ServiceDescription

/// Attempts to refute that a list is complete.
extension EndProbe {
  /// The number of pages in which a complete list is read again.
  private static let parts = 4

  /// Looks for records after a response without a next page: a service with a maximum page size may compute from the
  /// requested size whether more follow. If there are any, the list is not complete.
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

  /// Withdraws the signs of an end that further records have refuted.
  func deny(by answer: ProbeResponse) {
    let evidence = answer.evidence("others after the last record")
    survey.claims.contradict([Key.endHasMore, Key.endNoNext, Key.total], evidence)
    survey.note("the service ends the list before its last record (\(evidence))")
    (survey.whole, survey.last, survey.total) = (nil, nil, nil)
  }

  private func hasOthers(_ answer: ProbeResponse, than seen: Set<Value>) -> Bool {
    survey.rows(of: answer)?.contains { !seen.contains(survey.key($0)) } ?? false
  }
}
