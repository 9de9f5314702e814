import BackendClient
import BackendKit
import ServiceDescription

/// Finds how to request pages: the engine must then read the next records, or none of the first page.
struct PageProbe: Probe {
  private typealias Way = [Fact]

  private let survey: ResourceSurvey
  private let few: Int

  init(survey: ResourceSurvey) {
    self.survey = survey
    few = survey.size == nil ? survey.first.flatMap { survey.rows(of: $0)?.count } ?? 0 : survey.fewest
  }

  func run() async throws(BackendError) {
    guard few > 0, let page = try await first() else {
      return leave("too few records")
    }
    let next = NextPage.find(in: page, rows: survey.shape?.path ?? [])
    if let next, try await follow(next) == false {
      survey.note("the next-page link does not return the next page")
    }
    // A service with tokens seldom has another way.
    if let next, try await byToken(next) { return }
    if try await byNumber() { return }
    if try await byOffset() { return }
    if try await byNumber(isLast: true) { return }
    if try await byOffset(isLast: true) { return }
    if survey.claims[.pageStyle] != nil { return }
    if let next, try await byToken(next, among: PageWords.tokens + PageWords.otherTokens) { return }
    if try await after() { return }
    let reason = "none of the usual ways leads to a second page"
    leave(next == nil ? page.evidence("the response does not indicate a next page; \(reason)") : reason)
  }

  /// Leaves it open whether there are more pages, with the page parameter in the document.
  private func leave(_ reason: String) {
    survey.claims.leave(.pageStyle, reason)
    guard let name = survey.documented?.parameters(named: PageWords.places + PageWords.sizes).first else { return }
    survey.suppose(
      .pageParameter, name, "only listed in the document; not confirmed to lead to a second page",
      from: .document)
  }

  /// Unusual page parameters in the document.
  private func documented(_ words: [String], without others: [String] = [], type: String = "integer") -> [String] {
    survey.documented?.parameters(with: words, without: others, type: type).filter { $0 != survey.size } ?? []
  }

  private func first() async throws(BackendError) -> ProbeResponse? {
    guard let size = survey.size else { return survey.first }
    return try await survey.prober.get(survey.target.with(size, few))
  }

  /// The response to the engine's request, if it is the page this number of pages after the first.
  private func shows(_ way: Way, _ pages: Int = 1) async throws(BackendError) -> ProbeResponse? {
    let page = try await survey.proposing(way + placed).page(behind: few * pages, size: few)
    guard let page, isPage(page.rows, pages) else { return nil }
    return page.answer
  }

  /// Proves a way if it leads to the second page.
  private func proves(_ way: Way, _ shown: String? = nil) async throws(BackendError) -> Bool {
    guard let answer = try await shows(way) else { return false }
    survey.prove(way, answer.evidence(shown ?? "the records after the first \(few)"))
    return true
  }

  /// The facts that determine the places of pages: their end and, without a size parameter, the size of the first page.
  private var placed: Way { [Fact(.endShortPage, true)] + (survey.size == nil ? [Fact(.sizeDefault, few)] : []) }

  /// Returns whether these are the records of the page this number of pages after the first.
  private func isPage(_ rows: [Object]?, _ pages: Int) -> Bool {
    guard let rows, !rows.isEmpty, rows.count <= few else { return false }
    let (keys, all) = (survey.keys(rows), survey.keys(survey.rows))
    let known = all.dropFirst(few * pages).prefix(keys.count)
    if !known.isEmpty { return keys.starts(with: known) }
    return pages == 1 && Set(keys).isDisjoint(with: all.prefix(few))
  }

  private func follow(_ next: NextPage) async throws(BackendError) -> Bool? {
    guard next.form == .address else { return nil }
    let isRelative = !next.text.contains(text: "://") && !next.text.hasPrefix("/") && !next.text.hasPrefix("?")
    let plain: Way = [Fact(.pageStyle, "link"), Fact(.pageNext, next.location)]
    for way in [plain] + (isRelative ? [plain + [Fact(.pageRelativeTo, "api")]] : []) {
      if try await proves(way) { return true }
    }
    return false
  }

  /// The names to try: first those in the document, including `own`.
  private func candidates(_ usual: [String], _ all: [String], _ own: [String] = []) -> [String] {
    let documented = (survey.documented?.parameters(named: all) ?? []) + own.prefix(4)
    // If the list links to its next page, only known parameters are tried.
    let rest = survey.claims[.pageStyle] == nil && survey.documented == nil ? all : []
    return (documented + usual + rest).unique
  }

  /// The candidates. If nothing names the parameter, the likeliest one, and in the last attempt one of the others that
  /// has an effect when all are sent together.
  private func candidates(
    _ usual: [String], _ all: [String], _ isLast: Bool, _ own: [String], _ way: (String) -> Way
  ) async throws(BackendError) -> [String] {
    let found = candidates(usual, all, own)
    guard survey.documented == nil else { return isLast ? [] : Array(found.prefix(3 + own.count)) }
    // The link to the next page names the parameter, and excludes others.
    let next = (survey.few ?? survey.first).flatMap { NextPage.find(in: $0, rows: survey.shape?.path ?? []) }
    if let next, next.form == .address, survey.claims[.pageStyle] != nil {
      let named = Link.parameters(next.text)
      if !named.isEmpty { return isLast ? [] : found.filter(named.contains) }
    }
    guard survey.dialect.isPlain, found.count > 3, survey.unknown != "refused" else {
      return isLast ? [] : Array(found.prefix(3))
    }
    return isLast ? try await narrowed(Array(found.dropFirst()), way) : [found[0]]
  }

  private func narrowed(_ found: [String], _ way: (String) -> Way) async throws(BackendError) -> [String] {
    let query = ListQuery(survey.path, pageSize: few, skip: few)
    func rows(_ names: [String]) async throws(BackendError) -> [Object]? {
      try await survey.read(names.map { way($0) + placed }, query)?.rows
    }
    guard let first = survey.rows(of: try await first()) else { return found }
    // A refusal of some says nothing about the others.
    guard let together = try await rows(found) else { return Array(found.prefix(2)) }
    guard survey.keys(together) != survey.keys(first) else { return [] }
    let name = try await found.narrowed { names throws(BackendError) in
      try await rows(names).map { survey.keys($0) != survey.keys(first) } ?? false
    }
    return [name].compactMap(\.self)
  }

  private func byNumber(isLast: Bool = false) async throws(BackendError) -> Bool {
    func way(_ name: String, _ first: Int) -> Way {
      [Fact(.pageStyle, "number"), Fact(.pageParameter, name), Fact(.pageFirst, first)]
    }
    let own = documented(["page"], without: ["size", "limit", "per", "token", "cursor"])
    let names = try await candidates(survey.dialect.numbers, Dialect.plain.numbers, isLast, own) { way($0, 1) }
    for name in names {
      var (first, answer) = (1, try await shows(way(name, 1)))
      if answer != nil {
        // Without a size, a page other than the first may be the second or the third.
        if survey.rows.count <= few, try await shows(way(name, 0)) != nil { first = 0 }
      } else if survey.size != nil {
        (first, answer) = (0, try await shows(way(name, 0), 2))
      }
      guard let answer else { continue }
      survey.prove(way(name, first), answer.evidence("the records of page \(first == 1 ? 2 : 3)"))
      return true
    }
    return false
  }

  private func byOffset(isLast: Bool = false) async throws(BackendError) -> Bool {
    let all = survey.dialect.offsets + Dialect.plain.offsets
    func way(_ name: String) -> Way {
      let first = all.first { $0.parameter == name }?.first ?? 0
      return [Fact(.pageStyle, "offset"), Fact(.pageParameter, name)]
        + (first == 0 ? [] : [Fact(.pageFirst, first)])
    }
    let usual = survey.dialect.offsets.map(\.parameter)
    let own = documented(["offset", "skip", "start", "from", "index"])
    for name in try await candidates(usual, Dialect.plain.offsets.map(\.parameter), isLast, own, way) {
      if try await proves(way(name)) { return true }
    }
    return false
  }

  private func byToken(_ next: NextPage) async throws(BackendError) -> Bool {
    guard next.form == .token else { return false }
    let member = next.location["member"]?.text?.split(separator: ".").last.map(String.init)
    let own = documented(["cursor", "token", "after", "marker", "next", "continu", "page", "start"], type: "string")
    let names = candidates([member.flatMap(Self.bare), member].compactMap(\.self), PageWords.tokens, own)
    for name in names.prefix(4 + min(own.count, 4)) {
      let way: Way = [
        Fact(.pageStyle, "cursor"), Fact(.pageParameter, name), Fact(.pageNext, next.location),
      ]
      if try await proves(way) { return true }
    }
    return false
  }

  /// Sends the token of a page back under all of these names, then finds the right one by bisection.
  private func byToken(_ next: NextPage, among names: [String]) async throws(BackendError) -> Bool {
    let names = survey.documented?.parameters(named: names) ?? names
    guard next.form != .address, survey.unknown != "refused", !names.isEmpty else { return false }
    let first = survey.size.map { survey.target.with($0, few) } ?? survey.target
    func isNext(_ names: [String]) async throws(BackendError) -> Bool {
      let answer = try await survey.prober.get(names.reduce(first) { $0.with($1, next.text) })
      return isPage(answer.flatMap { survey.rows(of: $0) }, 1)
    }
    guard try await isNext(names) else { return false }
    let name = try await names.narrowed { half throws(BackendError) in try await isNext(half) }
    let way: Way = [
      Fact(.pageStyle, "cursor"), Fact(.pageParameter, name),
      Fact(.pageNext, next.location),
    ]
    guard name != nil else { return false }
    return try await proves(way)
  }

  /// The name of a member without `next`, as the parameter is usually called: `pageToken` for `nextPageToken`.
  private static func bare(_ member: String) -> String? {
    guard member.lowercased().hasPrefix("next") else { return nil }
    let rest = member.dropFirst(4).drop { $0 == "_" || $0 == "-" }
    return rest.isEmpty ? nil : rest.prefix(1).lowercased() + rest.dropFirst()
  }

  private func after() async throws(BackendError) -> Bool {
    guard let identifier = survey.identifier, !identifier.field.isEmpty, survey.rows.count >= few else { return false }
    for name in candidates(survey.dialect.after, Dialect.plain.after).prefix(2) {
      let way: Way = [
        Fact(.pageStyle, "after"), Fact(.pageParameter, name), Fact(.pageField, identifier.field),
      ]
      if try await proves(way, "the records after the one that is named") { return true }
    }
    return false
  }
}
