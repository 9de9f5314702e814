import BackendClient
import BackendKit

/// Reads to the end of a short list, or looks at the end of a long one: how many records there are, what says so, and what comes
/// behind the last page.
struct EndProbe: Probe {
  /// The most pages that are read to see a whole list.
  private static let mostPages = 5
  private let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  private var style: String? { survey.claims["page.style"]?.text }
  /// The size that is asked for here: the most, or what is usual.
  private var size: Int {
    survey.claims["size.maximum"]?.integer ?? survey.claims["size.default"]?.integer ?? max(survey.rows.count, 1)
  }

  func run() async throws(BackendError) {
    guard let first = survey.first, let path = survey.shape?.path else { return }
    // Some tell it only where a page is asked for.
    let reported =
      [first, survey.few].lazy.compactMap(\.self).map { Totals.candidates($0, path) }.first { !$0.isEmpty } ?? []
    var beyond = try await following()
    if survey.whole == nil { beyond = try await walk(reported.first?.count) }
    if let whole = survey.whole {
      survey.rows = whole
      if let rows = survey.rows(of: first), !rows.isEmpty, rows.count < whole.count,
        survey.claims["size.default"] == nil
      {
        survey.claims.add("size.default", .int(rows.count), .proved, first.evidence(Count.text(rows.count)))
      }
    }
    marks()
    try await total(reported, path)
    if style == nil { judge() }
    try await behind(survey.whole == nil ? nil : beyond)
  }

  /// Decides about a list without a way to a second page: it is whole only if a total proves it.
  private func judge() {
    if let whole = survey.whole, survey.claims.isProved("total"), survey.total == whole.count {
      // A total that has to be asked for does not show again with each response that the list is whole.
      let total = survey.claims["total"]?.object
      guard survey.claims["page.parameter"] == nil, total?["parameters"] == nil, total?["head"] == nil else { return }
      return survey.claims.add(
        "page.style", "none", .proved, "the total says that all \(Count.text(whole.count)) came at once")
    }
    // What came may be only the most that a page has.
    (survey.whole, survey.last) = (nil, nil)
  }

  /// The page that begins behind so many records; nil where the style cannot ask for it.
  private func page(_ start: Int, size: Int?) -> Target? {
    guard let parameter = survey.claims["page.parameter"]?.text else { return nil }
    let first = survey.claims["page.first"]?.integer
    var target = survey.target
    if let name = survey.size, let size { target = target.with(name, size) }
    switch style {
    case "number"?:
      let size = size ?? self.size
      return start % size == 0 ? target.with(parameter, start / size + (first ?? 1)) : nil
    case "offset"?: return target.with(parameter, start + (first ?? 0))
    default: return nil
    }
  }

  /// What follows a page with fewer records than were asked for: it may be the whole list, or the most that a page has. Nil where
  /// that was not asked, and where there are more records.
  private func following() async throws(BackendError) -> Answer? {
    guard let whole = survey.whole, let size = survey.size, let most = survey.most, !whole.isEmpty,
      let target = page(whole.count, size: whole.count), let answer = try await survey.prober.get(target)
    else { return nil }
    let known = survey.keys(whole)
    let others = survey.keys(survey.rows(of: answer) ?? [])
    guard others.contains(where: { key in !known.contains { $0.isSame(as: key) } }) else { return answer }
    (survey.whole, survey.last) = (nil, nil)
    let evidence = "GET \(most.shown) → 200, \(Count.text(whole.count)); \(answer.evidence("others behind these"))"
    survey.claims.add("size.maximum", .int(whole.count), .proved, evidence)
    survey.claims.add("size.over", "clamp", .proved, evidence)
    if let first = survey.first, survey.rows(of: first)?.count == whole.count {
      survey.claims.add("size.default", .int(whole.count), .proved, first.evidence("as many as \(size) gives at most"))
    }
    return nil
  }

  /// Reads page after page, where there are few; the response behind the last page, if it was asked for. A page with fewer records
  /// than were asked for is the last only if nothing new follows it.
  private func walk(_ total: Int?) async throws(BackendError) -> Answer? {
    guard let style, style != "none", var answer = survey.first else { return nil }
    let size = self.size
    if let total, total > size * Self.mostPages { return nil }
    if let name = survey.size {
      // One that gives the most where more is asked for has shown its first page.
      let asked = survey.claims["size.over"] == "clamp" ? survey.most : nil
      guard let found = try await survey.prober.get(asked ?? survey.target.with(name, size)) else { return nil }
      answer = found
    }
    var rows: [Object] = []
    var seen: Set<Value> = []
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
        let start = isShort && number == 0 && style == "offset" ? rows.count : (number + 1) * size
        target = self.page(start, size: survey.size == nil ? nil : size)
      }
      guard let target, let found = try await survey.prober.get(target) else { return nil }
      if found.status == 404 || isLast == nil && isBehind(found, seen) {
        survey.whole = rows
        guard isLast == nil else { return found }
        survey.last = answer
        let evidence = "\(answer.evidence(Count.text(page.count))); \(found.evidence("no others behind these"))"
        if isShort { survey.claims.add("end.shortPage", true, .proved, evidence) }
        return found
      }
      guard !isShort else {
        let evidence = "\(answer.evidence(Count.text(page.count))); \(found.evidence("others behind these"))"
        survey.claims.contradict("end.shortPage", true, evidence)
        survey.notes.append("\(survey.name): a page with fewer records than were asked for is not the last")
        return nil
      }
      answer = found
    }
    return nil
  }

  /// Whether a response shows that nothing follows the records before it: it has none, only those, or is a refusal of the page.
  private func isBehind(_ answer: Answer, _ seen: Set<Value>) -> Bool {
    if let rows = survey.rows(of: answer) { return rows.allSatisfy { seen.contains(survey.key($0)) } }
    return (400...499).contains(answer.status) && ![401, 403, 408, 429].contains(answer.status)
  }

  /// What the last page says of itself, and a page before it says otherwise.
  private func marks() {
    guard let last = survey.last, let few = survey.few ?? survey.first, let path = survey.shape?.path else { return }
    if NextPage.find(in: last, rows: path) == nil, NextPage.find(in: few, rows: path) != nil {
      survey.claims.add("end.noNext", true, .proved, last.evidence("no next page is named"))
    }
    if let more = hasMore(last), more.value == false, hasMore(few)?.value == true {
      survey.claims.add("end.hasMore", .string(more.path.joined(separator: ".")), .proved, last.evidence("it is false"))
    }
  }

  /// The member that says whether more records follow.
  private func hasMore(_ answer: Answer) -> (path: [String], value: Value)? {
    ListShape.siblings(of: survey.shape?.path ?? [], in: answer.document).first { path, value in
      ["has_more", "hasmore", "more", "has_next", "hasnext"].contains(path.last?.lowercased() ?? "")
        && value.bool != nil
    }
  }

  /// What says how many records there are: proved by the whole list, or by the last page of a long one.
  private func total(_ reported: [Totals.Candidate], _ path: [String]) async throws(BackendError) {
    if style == nil, survey.whole == nil, let first = survey.first, let rows = survey.rows(of: first),
      rows.count == survey.rows.count, !reported.contains(where: { $0.count > rows.count }),
      NextPage.find(in: first, rows: path) == nil, hasMore(first)?.value != true
    {
      survey.whole = rows
    }
    if let whole = survey.whole {
      let counts = reported.filter { $0.count == whole.count && whole.count > 0 }
      if let right = counts.first(where: { survey.grade(ofTotal: $0) == .proved }) {
        survey.total = whole.count
        return survey.claims.add(
          "total", .object(right.location), .proved, "it is the number of records in the whole list, \(whole.count)")
      }
      if try await asked(whole.count, path) { return }
      if let head = try await survey.prober.get(survey.target, method: "HEAD"),
        let right = Totals.candidates(head, path).first(where: { $0.count == whole.count }), whole.count > 0,
        survey.grade(ofTotal: right) == .proved || (survey.rows(of: survey.first)?.count ?? whole.count) < whole.count
      {
        survey.total = whole.count
        var location = right.location
        location["head"] = true
        return survey.claims.add(
          "total", .object(location), .proved, head.evidence("it is the number of records in the whole list"))
      }
      if let named = counts.first(where: { survey.grade(ofTotal: $0) == .likely }) {
        return survey.claims.add(
          "total", .object(named.location), .likely, "its name, and it is the number of records that came")
      }
      let isPage = reported.contains { $0.count == whole.count }
      return survey.claims.leave(
        "total",
        isPage
          ? "a number in the response is that of the records that came, which may be those of a page"
          : "no number in the response is that of the records")
    }
    guard let candidate = reported.first, candidate.count > survey.rows.count else {
      return survey.claims.leave("total", "not seen")
    }
    let size = SizeProbe.few
    let start = (candidate.count - 1) / size * size
    guard survey.size != nil, let target = page(start, size: size), let last = try await survey.prober.get(target),
      let rows = survey.rows(of: last), rows.count == candidate.count - start,
      let behind = page(start + size, size: size), let beyond = try await survey.prober.get(behind),
      survey.rows(of: beyond)?.isEmpty ?? (beyond.status >= 400)
    else {
      return survey.claims.add(
        "total", .object(candidate.location), .likely, "its name, and its number is above the page's")
    }
    survey.total = candidate.count
    survey.claims.add(
      "total", .object(candidate.location), .proved,
      "\(last.evidence(Count.text(rows.count))); \(beyond.evidence("behind the last"))")
  }

  /// Parameters by which services are asked for a total.
  private static let switches = [
    ("meta", "*"), ("count", "true"), ("$count", "true"), ("include_total", "true"), ("withTotal", "true"),
  ]

  /// Looks for a total that the service tells only where it is asked for: with all the usual parameters, then with half of them.
  private func asked(_ count: Int, _ path: [String]) async throws(BackendError) -> Bool {
    guard count > 0, survey.unknown == "ignored", survey.documented?.parameters.isEmpty ?? true else { return false }
    func answer(_ names: [(String, String)]) async throws(BackendError) -> (Object, Answer)? {
      guard let answer = try await survey.prober.get(names.reduce(survey.target) { $0.with($1.0, $1.1) }),
        let right = Totals.candidates(answer, path).first(where: {
          $0.count == count && survey.grade(ofTotal: $0, besides: answer) == .proved
        })
      else { return nil }
      return (right.location, answer)
    }
    var rest = (survey.dialect.totals.isEmpty ? Self.switches : survey.dialect.totals).filter { $0.0 != survey.size }
    guard try await answer(rest) != nil else { return false }
    while rest.count > 1 {
      let half = Array(rest.prefix(rest.count / 2))
      rest = try await answer(half) == nil ? Array(rest.dropFirst(half.count)) : half
    }
    guard let (found, answer) = try await answer(rest) else { return false }
    var location = found
    location["parameters"] = .object(Object(rest.map { ($0.0, .string($0.1)) }))
    survey.total = count
    survey.claims.add(
      "total", .object(location), .proved, answer.evidence("it is the number of records in the whole list, \(count)"))
    return true
  }

  /// What comes behind the last page; `known` was asked already.
  private func behind(_ known: Answer?) async throws(BackendError) {
    guard let count = survey.whole?.count ?? survey.total, count > 0 else { return }
    let size = survey.size == nil ? self.size : SizeProbe.few
    let start = (count + size - 1) / size * size
    var answer = known
    if answer == nil, let target = page(start, size: size) { answer = try await survey.prober.get(target) }
    guard let answer else { return }
    if let rows = survey.rows(of: answer) {
      if rows.isEmpty {
        survey.claims.add("end.emptyPage", true, .proved, answer.evidence("no records behind the last page"))
      } else if isBehind(answer, Set(survey.keys(survey.whole ?? survey.rows))) {
        survey.claims.add("end.repeat", true, .proved, answer.evidence("records behind the last page, seen before"))
      }
    } else {
      survey.claims.add("end.status", .int(answer.status), .proved, answer.evidence("behind the last page"))
    }
  }
}
