import BackendClient
import BackendKit
import ServiceDescription

/// Finds the end of a list: the total and its source, and the response after the last page.
struct EndProbe: Probe {
  let survey: ResourceSurvey

  var style: String? { survey.claims[.pageStyle] }
  var isPlaced: Bool { ["number", "offset"].contains(style) }
  /// The requested page size: the maximum, or the default.
  var size: Int {
    survey.claims[.sizeMaximum] ?? survey.claims[.sizeDefault] ?? max(survey.rows.count, 1)
  }

  func run() async throws(BackendError) {
    guard let first = survey.first, let path = survey.shape?.path else { return }
    // Some report it only in pages.
    let reported =
      [first, survey.few].lazy.compactMap(\.self).map { Totals.candidates($0, path) }.first { !$0.isEmpty } ?? []
    try await refuteWhole()
    let beyond = try await walk(reported.first?.count)
    if let whole = survey.whole {
      survey.rows = whole
      if let rows = survey.rows(of: first), !rows.isEmpty, rows.count < whole.count,
        survey.claims[.sizeDefault] == nil
      {
        survey.prove(.sizeDefault, rows.count, first.evidence(counted(rows.count, "record")))
      }
    }
    marks()
    try await total(reported, path)
    if style == nil { judge() }
    try await behind(survey.whole == nil ? nil : beyond)
  }

  /// Decides about a list without a way to a second page: it is complete only if a total proves it, and not if more
  /// records came only because more were requested.
  private func judge() {
    if let whole = survey.whole, survey.claims.isProved(.total), survey.total == whole.count,
      survey.first.flatMap({ survey.rows(of: $0) })?.count == whole.count
    {
      // A total that has to be requested is not in each response, and so cannot confirm the list each time.
      let total = survey.claims[.total]
      guard survey.claims[.pageParameter] == nil, total?["parameters"] == nil, total?["head"] == nil else { return }
      return survey.prove(.pageStyle, "none", "the total: one response has all \(counted(whole.count, "record"))")
    }
    // The records may be only the maximum of a page.
    (survey.whole, survey.last) = (nil, nil)
  }

  /// Returns the page after this number of records, as read by the engine; nil if the style cannot request it.
  func page(_ start: Int, size: Int? = nil) async throws(BackendError) -> ProposedBackend.Page? {
    guard isPlaced else { return nil }
    let query = ListQuery(survey.path, pageSize: size ?? self.size, skip: start)
    return try await survey.proposing(sized + [Fact(.endShortPage, true)]).page(query)
  }

  /// The page size as a fact, if no parameter sets it.
  var sized: [Fact] { survey.size == nil ? [Fact(.sizeDefault, size)] : [] }

  /// Claims the signs of the last page that earlier pages have with the opposite value.
  private func marks() {
    guard let last = survey.last, let few = survey.few ?? survey.first, let path = survey.shape?.path else { return }
    if NextPage.find(in: last, rows: path) == nil, NextPage.find(in: few, rows: path) != nil {
      survey.prove(.endNoNext, true, last.evidence("the response does not indicate a next page"))
    }
    if let more = hasMore(last), more.value == false, hasMore(few)?.value == true {
      survey.prove(.endHasMore, more.path.joined(separator: "."), last.evidence("it is false"))
    }
  }

  func hasMore(_ answer: ProbeResponse) -> (path: [String], value: Value)? {
    ListShape.siblings(of: survey.shape?.path ?? [], in: answer.document).first { path, value in
      ["has_more", "hasmore", "more", "has_next", "hasnext"].contains(path.last?.lowercased() ?? "")
        && value.bool != nil
    }
  }

  /// Examines the response after the last page; `known` if it was requested already.
  private func behind(_ known: ProbeResponse?) async throws(BackendError) {
    guard let count = survey.whole?.count ?? survey.total, count > 0 else { return try await farBehind() }
    let size = survey.size == nil ? self.size : survey.fewest
    let start = (count + size - 1) / size * size
    var answer = known
    if answer == nil { answer = try await page(start, size: size)?.answer }
    guard let answer else { return }
    if let rows = survey.rows(of: answer) {
      if rows.isEmpty {
        survey.prove(.endEmptyPage, true, answer.evidence("no records after the last page"))
      } else if isBehind(answer, Set(survey.keys(survey.whole ?? survey.rows))) {
        survey.prove(.endRepeat, true, answer.evidence("after the last page, records that were seen before"))
      } else if survey.whole != nil {
        deny(by: answer)
      }
    } else if isBehind(answer, []) {
      survey.prove(.endStatus, answer.status, answer.evidence("after the last page"))
    }
  }

  /// Looks far past the end of a list: an empty page there shows that the list need not end with a short one.
  private func farBehind() async throws(BackendError) {
    guard survey.whole == nil, survey.claims[.total] == nil, survey.claims[.endHasMore] == nil,
      let page = try await page(Self.far * self.size), page.rows?.isEmpty == true
    else { return }
    survey.suppose(.endEmptyPage, true, page.answer.evidence("no records far beyond the first page"))
  }

  /// More pages than any list has.
  private static let far = 100_000
}
