import BackendClient
import BackendKit

/// Reading a short list page by page, to its end.
extension EndProbe {
  /// The most pages that are read to see a whole list.
  private static let mostPages = 5

  /// Reads page after page, where there are few; the response behind the last page, if it was asked for. A page with fewer records
  /// than were asked for is the last only if nothing new follows it: services that hide records may do so on each page.
  func walk(_ total: Int?) async throws(BackendError) -> Answer? {
    guard let style, style != "none", var answer = survey.first else { return nil }
    let size = self.size
    if let total, total > size * Self.mostPages { return nil }
    if let name = survey.size {
      // One that gives the most where more is asked for has shown its first page.
      let asked = survey.claims["size.whenTooLarge"] == "clamp" ? survey.most : nil
      guard let found = try await survey.prober.get(asked ?? survey.target.with(name, size)) else { return nil }
      answer = found
    }
    var rows: [Object] = []
    var seen: Set<Value> = []
    // The place in the list at which the page begins, and whether one with fewer records than were asked for was not the last.
    var (begin, hasGaps) = (0, false)
    for number in 0...Self.mostPages {
      guard let page = survey.rows(of: answer) else { return nil }
      let isNew = page.allSatisfy { seen.insert(survey.key($0)).inserted }
      guard isNew else {
        survey.notes.append("\(survey.name): pages of the list have records in common")
        return nil
      }
      rows += page
      let next = NextPage.find(in: answer, rows: survey.shape?.path ?? [])
      // Nil: the page does not tell.
      let isLast: Bool?
      if survey.claims["page.next"] != nil || style == "link" {
        isLast = next == nil
      } else {
        isLast = hasMore(answer).map { $0.value == false }
      }
      if isLast == true {
        (survey.whole, survey.last) = (rows, answer)
        return nil
      }
      let isShort = isLast == nil && page.count < size
      let target: Target?
      switch style {
      case "link":
        let base = survey.claims["page.relativeTo"]?.text ?? "request"
        target = next.flatMap { Link.resolved($0.text, against: survey.collection, from: base) }
          .map { Target(named: $0, in: survey.target.shape) }
      case "after":
        guard let parameter = survey.claims["page.parameter"]?.text, let identifier = survey.identifier,
          let last = page.last.flatMap({ RecordID(identifier.value(of: $0)) })
        else { return nil }
        let start = survey.size.map { survey.target.with($0, size) } ?? survey.target
        target = start.with(parameter, data: last.text)
      case "cursor":
        guard let parameter = survey.claims["page.parameter"]?.text, let next else { return nil }
        let start = survey.size.map { survey.target.with($0, size) } ?? survey.target
        target = start.with(parameter, data: next.text)
      default:
        // Behind a first page that is not full, as many may be the most that a page has.
        begin += isShort && (number > 0 || style == "number") ? size : page.count
        target = self.page(style == "number" ? (number + 1) * size : begin, size: survey.size == nil ? nil : size)
      }
      guard let target, var found = try await survey.prober.get(target) else { return nil }
      var isEnd = found.status == 404 || isLast == nil && isBehind(found, seen)
      if isEnd, isShort, style == "offset", begin < size, let target = self.page(size, size: size) {
        guard let behind = try await survey.prober.get(target) else { return nil }
        (isEnd, found) = (isBehind(behind, seen), behind)
      }
      if isEnd {
        survey.whole = rows
        guard isLast == nil else { return found }
        survey.last = answer
        let evidence = "\(answer.evidence(counted(page.count, "record"))); \(found.evidence("no others behind these"))"
        if isShort, !hasGaps { survey.claims.add("end.shortPage", true, .proved, evidence) }
        return found
      }
      if isShort, !hasGaps {
        hasGaps = true
        let evidence = "\(answer.evidence(counted(page.count, "record"))); \(found.evidence("others behind these"))"
        survey.claims.contradict("end.shortPage", true, evidence)
        survey.notes.append("\(survey.name): a page with fewer records than were asked for is not the last")
        // The next page begins where the first would have ended, or where it did: nothing tells which.
        if style == "offset", number == 0 { return nil }
      }
      answer = found
    }
    return nil
  }

  /// Whether a response shows that nothing follows the records before it: it has none, only those, or is a refusal of the page.
  func isBehind(_ answer: Answer, _ seen: Set<Value>) -> Bool {
    if let rows = survey.rows(of: answer) { return rows.allSatisfy { seen.contains(survey.key($0)) } }
    return (400...499).contains(answer.status) && ![401, 403, 408, 429].contains(answer.status)
  }
}
