import BackendKit
import ServiceDescription

extension EndProbe {
  private static let mostPages = 5

  /// Reads a short list page by page, as the engine does. Returns the response after the last page, if it was
  /// requested. A short page is the last only if nothing new follows: services that hide records may shorten each page.
  func walk(_ total: Int?) async throws(BackendError) -> ProbeResponse? {
    // A short response is the whole list, or as much as a page can have.
    let isOpen = survey.whole != nil
    guard let style, style != "none", !isOpen || isPlaced else { return nil }
    var size = self.size
    if let total, total > size * Self.mostPages { return nil }
    // If larger sizes are clamped, the first page is already known.
    let asked = isOpen || survey.claims[.sizeWhenTooLarge] == "clamp" ? survey.most?.asked : nil
    let list = survey.proposing(sized + ending + (asked == nil ? [] : [Fact(.sizeMaximum, nil)]))
    let query = ListQuery(survey.path, pageSize: asked ?? size)
    var page = try await list.page(query)
    var (rows, seen): ([Object], Set<Value>) = ([], [])
    // The last page, and whether a short one was not the last.
    var (before, hasGaps): (ProbeResponse?, Bool) = (nil, false)
    // A page without records that leads to another one, which tells whether it was the end.
    var hollow: ProbeResponse?
    for number in 0...Self.mostPages {
      guard let found = page else { return nil }
      let isShort = before.map { !tellsEnd($0) && count($0) < size } ?? false
      if before != nil, survey.rows(of: found.answer) == nil, survey.lacksRecords(found.answer) {
        let evidence = found.answer.evidence("no list after the last page")
        survey.prove(.recordsNullIsEmpty, true, evidence)
      }
      let isEmpty = found.answer.status == 404 || (found.rows ?? survey.rows(of: found.answer))?.isEmpty == true
      if before != nil, isEmpty, hollow == nil, leadsOn(found.answer), let next = found.end?.next {
        hollow = found.answer
        page = try await list.page(query, at: next)
        continue
      }
      let isLast = isBehind(found.answer, seen) || isShort && isRefused(found.answer)
      if let before, isEmpty || (isOpen || !tellsEnd(before)) && isLast {
        return try await finish(rows, before, found.answer, isShort: isShort && !hasGaps, size)
      }
      guard let all = found.rows else { return nil }
      let new = all.filter { seen.insert(survey.key($0)).inserted }
      if isOpen, number == 1, let before {
        size = rows.count
        cut(before, found.answer)
      } else if isShort, !hasGaps, let before {
        hasGaps = true
        let evidence = "\(shown(before)); \(found.answer.evidence("others after these"))"
        survey.claims.contradict(.endShortPage, true, evidence)
        survey.note("a page with fewer records than requested is not the last")
      }
      guard new.count == all.count || hasGaps else {
        survey.note("pages of the list have records in common")
        return nil
      }
      if let empty = hollow, !new.isEmpty {
        let evidence = "\(empty.evidence("no records")); \(found.answer.evidence("others after these"))"
        survey.claims.contradict(.endEmptyPage, true, evidence)
        survey.note("a page without records is not the last if it leads to another one")
        hollow = nil
      }
      rows += new
      guard let next = found.end?.next else {
        (survey.whole, survey.last) = (rows, found.answer)
        return nil
      }
      before = found.answer
      page = try await list.page(query, at: next)
    }
    return nil
  }

  private func count(_ answer: ProbeResponse) -> Int { survey.rows(of: answer)?.count ?? 0 }

  private func shown(_ answer: ProbeResponse) -> String { answer.evidence(counted(count(answer), "record")) }

  /// Records the maximum page size: a short page was followed by others.
  func cut(_ page: ProbeResponse, _ next: ProbeResponse) {
    (survey.whole, survey.last) = (nil, nil)
    let (most, evidence) = (count(page), "\(shown(page)); \(next.evidence("others after these"))")
    survey.prove(.sizeMaximum, most, evidence)
    survey.prove(.sizeWhenTooLarge, "clamp", evidence)
    if let first = survey.first, let name = survey.size, count(first) == most {
      survey.prove(.sizeDefault, most, first.evidence("the maximum with \(name)"))
    }
  }

  /// Takes the records for the whole list, since the response after them shows no others.
  private func finish(
    _ rows: [Object], _ last: ProbeResponse, _ behind: ProbeResponse, isShort: Bool, _ size: Int
  ) async throws(BackendError) -> ProbeResponse? {
    var behind = behind
    // The offset may have been within the page.
    if isShort, style == "offset", rows.count < size, let page = try await page(size, size: size) {
      guard isBehind(page.answer, Set(survey.keys(rows))) else { return nil }
      behind = page.answer
    }
    (survey.whole, survey.last) = (rows, last)
    if isShort {
      let evidence = "\(shown(last)); \(behind.evidence("no others after these"))"
      survey.prove(.endShortPage, true, evidence)
    }
    return behind
  }

  /// The signs of the end for the engine: those in the responses, or else an empty page.
  var ending: [Fact] {
    let shown = survey.few ?? survey.first
    let more = shown.flatMap(hasMore)?.path
    // A page that links to another one is read even if it is empty.
    let leads = shown.map(leadsOn) ?? false
    return (leads ? [] : [Fact(.endEmptyPage, true)]) + [Fact(.endNoNext, true)]
      + (more.map { [Fact(.endHasMore, $0.joined(separator: "."))] } ?? [])
  }

  private func leadsOn(_ answer: ProbeResponse) -> Bool {
    hasMore(answer)?.value == true || NextPage.find(in: answer, rows: survey.shape?.path ?? []) != nil
  }

  /// Returns whether a response indicates if it is the last page.
  func tellsEnd(_ answer: ProbeResponse) -> Bool {
    survey.claims[.pageNext] != nil || style == "link" || hasMore(answer) != nil
  }

  /// Returns whether a response shows no new records: it has none, only known ones, or does not find the page.
  func isBehind(_ answer: ProbeResponse, _ seen: Set<Value>) -> Bool {
    if let rows = survey.rows(of: answer) { return rows.allSatisfy { seen.contains(survey.key($0)) } }
    return isPastEnd(answer.status)
  }

  /// Returns whether a page was refused, possibly because it does not exist, as after a page that is not full.
  private func isRefused(_ answer: ProbeResponse) -> Bool {
    (400...499).contains(answer.status) && ![401, 403, 408, 429].contains(answer.status)
  }

  /// Returns whether a status is that of a page past the end. A refusal may only mean that the service goes no further.
  func isPastEnd(_ status: Int) -> Bool { [404, 416].contains(status) || survey.dialect.ends.contains(status) }
}
