import BackendKit
import ServiceDescription

/// Reading a short list page by page, to its end.
extension EndProbe {
  /// The most pages that are read to see a whole list.
  private static let mostPages = 5

  /// Reads page after page as the engine does, where there are few; the response behind the last page, if it was asked
  /// for. A page with fewer records than were asked for is the last only if nothing new follows it: services that hide
  /// records may do so on each page.
  func walk(_ total: Int?) async throws(BackendError) -> ProbeResponse? {
    // If fewer records came than were requested, they are the whole list, or the most that a page can have.
    let isOpen = survey.whole != nil
    guard let style, style != "none", !isOpen || isPlaced else { return nil }
    var size = self.size
    if let total, total > size * Self.mostPages { return nil }
    // One that gives the most where more is asked for has shown its first page.
    let asked = isOpen || survey.claims[.sizeWhenTooLarge] == "clamp" ? survey.most?.asked : nil
    let list = survey.proposing(sized + ending + (asked == nil ? [] : [Fact(.sizeMaximum, nil)]))
    let query = ListQuery(survey.path, pageSize: asked ?? size)
    var page = try await list.page(query)
    var (rows, seen): ([Object], Set<Value>) = ([], [])
    // The last page, and whether one with fewer records than were asked for was not it.
    var (before, hasGaps): (ProbeResponse?, Bool) = (nil, false)
    // A page without records that leads to another one: only what that has tells whether it was the end.
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

  /// Adds that a page with fewer records than were asked for has the most of a page, as others follow it.
  func cut(_ page: ProbeResponse, _ next: ProbeResponse) {
    (survey.whole, survey.last) = (nil, nil)
    let (most, evidence) = (count(page), "\(shown(page)); \(next.evidence("others after these"))")
    survey.prove(.sizeMaximum, most, evidence)
    survey.prove(.sizeWhenTooLarge, "clamp", evidence)
    if let first = survey.first, let name = survey.size, count(first) == most {
      survey.prove(.sizeDefault, most, first.evidence("the maximum with \(name)"))
    }
  }

  /// Takes what came for the whole list: a response behind it shows nothing more.
  private func finish(
    _ rows: [Object], _ last: ProbeResponse, _ behind: ProbeResponse, isShort: Bool, _ size: Int
  ) async throws(BackendError) -> ProbeResponse? {
    var behind = behind
    // A place within the page may be taken for that of the page.
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

  /// The marks by which the engine recognizes the end here: only those in the responses, or else a page without
  /// records.
  var ending: [Fact] {
    let shown = survey.few ?? survey.first
    let more = shown.flatMap(hasMore)?.path
    // A page that leads to another one is read, whatever it has.
    let leads = shown.map(leadsOn) ?? false
    return (leads ? [] : [Fact(.endEmptyPage, true)]) + [Fact(.endNoNext, true)]
      + (more.map { [Fact(.endHasMore, $0.joined(separator: "."))] } ?? [])
  }

  /// Returns whether a response says that there is another page.
  private func leadsOn(_ answer: ProbeResponse) -> Bool {
    hasMore(answer)?.value == true || NextPage.find(in: answer, rows: survey.shape?.path ?? []) != nil
  }

  /// Returns whether a response indicates if it is the last page.
  func tellsEnd(_ answer: ProbeResponse) -> Bool {
    survey.claims[.pageNext] != nil || style == "link" || hasMore(answer) != nil
  }

  /// Returns whether a response shows that no records follow those already seen: it has none, only those, or it does not
  /// find the page.
  func isBehind(_ answer: ProbeResponse, _ seen: Set<Value>) -> Bool {
    if let rows = survey.rows(of: answer) { return rows.allSatisfy { seen.contains(survey.key($0)) } }
    return isPastEnd(answer.status)
  }

  /// Returns whether a page was refused, as one that does not exist may be; behind a page that is not full it is one.
  private func isRefused(_ answer: ProbeResponse) -> Bool {
    (400...499).contains(answer.status) && ![401, 403, 408, 429].contains(answer.status)
  }

  /// Returns whether a status is that of a page past the end. A service that refuses a page may just go no further.
  func isPastEnd(_ status: Int) -> Bool { [404, 416].contains(status) || survey.dialect.ends.contains(status) }
}
