import BackendClient
import BackendKit

/// Finds how the second page is asked for: its records have to be the next ones of a longer list, or none of the first.
struct PageProbe: Probe {
  private let survey: ResourceSurvey
  private let few: Int
  private let start: Target

  init(_ survey: ResourceSurvey) {
    self.survey = survey
    few = survey.size == nil ? survey.first.flatMap { survey.rows(of: $0)?.count } ?? 0 : SizeProbe.few
    start = survey.size.map { survey.target.with($0, SizeProbe.few) } ?? survey.target
  }

  func run() async throws(BackendError) {
    guard few > 0, let page = try await first() else {
      return leave("too few records")
    }
    let next = NextPage.find(in: page, rows: survey.shape?.path ?? [])
    if let next, try await follow(next) == false {
      survey.notes.append("\(survey.name): what the list names as its next page does not lead to it")
    }
    // A service that names a token has seldom another way.
    if let next, try await byToken(next) { return }
    if try await byNumber() { return }
    if try await byOffset() { return }
    if try await byNumber(isLast: true) { return }
    if try await byOffset(isLast: true) { return }
    if survey.claims["page.style"] != nil { return }
    if try await after() { return }
    let reason = "none of the usual ways leads to a second page"
    leave(next == nil ? page.evidence("no next page is named; \(reason)") : reason)
  }

  /// Leaves open whether there are more pages, with a parameter for pages that the document names.
  private func leave(_ reason: String) {
    survey.claims.leave("page.style", reason)
    guard let name = survey.documented?.parameters(named: Self.parameters + Dialect.plain.sizes).first else { return }
    survey.claims.add(
      "page.parameter", .string(name), .likely, "the document; it was not seen to lead to a second page",
      from: .document)
  }

  /// Parts of the names of parameters that say which page is wanted, and not how large it is.
  static let placeWords = ["offset", "skip", "cursor", "token", "after", "before", "start", "marker", "from", "number"]

  /// The parameters of the document for a page that are called otherwise than usual.
  private func documented(_ words: [String], without others: [String] = [], type: String = "integer") -> [String] {
    survey.documented?.parameters(with: words, without: others, type: type).filter { $0 != survey.size } ?? []
  }

  /// Parameters by which services are asked for a page.
  private static let parameters: [String] =
    Dialect.plain.numbers + Dialect.plain.offsets.map(\.parameter) + Dialect.plain.after + tokens
  private static let tokens = [
    "cursor", "page_token", "pageToken", "next", "_next", "after", "continuation", "token", "marker",
  ]

  /// The first page.
  private func first() async throws(BackendError) -> Answer? {
    guard survey.size != nil else { return survey.first }
    return try await survey.prober.get(start)
  }

  /// Whether these are the records of the page that comes so many records behind the first.
  private func isPage(_ answer: Answer?, _ pages: Int) -> Bool {
    guard let rows = survey.rows(of: answer), !rows.isEmpty else { return false }
    let keys = survey.keys(rows)
    let all = survey.keys(survey.rows)
    let (from, to) = (few * pages, few * pages + rows.count)
    guard rows.count <= few else { return false }
    if all.count >= to { return Array(all[from..<to]) == keys }
    guard pages == 1 else { return false }
    return Set(keys).isDisjoint(with: all.prefix(few))
  }

  /// Follows the address that the first page names.
  private func follow(_ next: NextPage) async throws(BackendError) -> Bool? {
    guard next.form == .address else { return nil }
    var bases = ["request"]
    if !next.text.contains(text: "://"), !next.text.hasPrefix("/"), !next.text.hasPrefix("?") {
      bases = ["request", "api"]
    }
    for base in bases {
      guard let address = Link.resolved(next.text, against: survey.collection, from: base) else { continue }
      let target = Target(named: address, in: survey.target.shape)
      let answer = try await survey.prober.get(target)
      guard let answer, isPage(answer, 1) else { continue }
      let evidence = answer.evidence("the records behind the first \(few)")
      survey.claims.add("page.style", "link", .proved, evidence)
      survey.claims.add("page.next", .object(next.location), .proved, evidence)
      if base == "api" { survey.claims.add("page.relativeTo", "api", .proved, evidence) }
      return true
    }
    return false
  }

  /// The names to be tried: those of the document first, also those of its `own`.
  private func candidates(_ usual: [String], _ all: [String], _ own: [String] = []) -> [String] {
    let documented = (survey.documented?.parameters(named: all) ?? []) + own.prefix(4)
    var seen: Set<String> = []
    // Where the list itself leads to its next page, only what is known is tried.
    let rest = survey.claims["page.style"] == nil && survey.documented == nil ? all : []
    return (documented + usual + rest).filter { seen.insert($0).inserted }
  }

  /// The candidates. Where nothing tells which the service has, the likeliest one, and at last those of the others that do something when
  /// all are sent together.
  private func candidates(
    _ usual: [String], _ all: [String], _ value: Int, _ isLast: Bool, _ own: [String]
  ) async throws(BackendError) -> [String] {
    let found = candidates(usual, all, own)
    guard survey.documented == nil else { return isLast ? [] : Array(found.prefix(3 + own.count)) }
    // What a list names as its next page shows the name, and that there is no other way.
    let next = (survey.few ?? survey.first).flatMap { NextPage.find(in: $0, rows: survey.shape?.path ?? []) }
    if let next, next.form == .address, survey.claims["page.style"] != nil {
      let named = Link.parameters(next.text)
      if !named.isEmpty { return isLast ? [] : found.filter(named.contains) }
    }
    guard survey.dialect.isPlain, found.count > 3, survey.unknown != "refused" else {
      return isLast ? [] : Array(found.prefix(3))
    }
    return isLast ? try await narrowed(Array(found.dropFirst()), value) : [found[0]]
  }

  private func narrowed(_ found: [String], _ value: Int) async throws(BackendError) -> [String] {
    guard let first = survey.rows(of: try await first()),
      let together = try await survey.prober.get(found.reduce(start) { $0.with($1, value) })
    else { return found }
    // One that refuses some of them tells nothing of the others.
    guard let rows = survey.rows(of: together) else { return Array(found.prefix(2)) }
    guard survey.keys(rows) != survey.keys(first) else { return [] }
    var rest = found
    while rest.count > 1 {
      let half = Array(rest.prefix(rest.count / 2))
      let answer = try await survey.prober.get(half.reduce(start) { $0.with($1, value) })
      let isChanged = survey.rows(of: answer).map { survey.keys($0) != survey.keys(first) } ?? false
      rest = isChanged ? half : Array(rest.dropFirst(half.count))
    }
    return rest
  }

  private func byNumber(isLast: Bool = false) async throws(BackendError) -> Bool {
    let own = documented(["page"], without: ["size", "limit", "per", "token", "cursor"])
    for name in try await candidates(survey.dialect.numbers, Dialect.plain.numbers, 2, isLast, own) {
      guard let answer = try await survey.prober.get(start.with(name, 2)) else { continue }
      let first: Int
      if isPage(answer, 1) {
        // Without a size, a page that has other records than the first may be the second or the third.
        if survey.rows.count <= few, let one = try await survey.prober.get(start.with(name, 1)), isPage(one, 1) {
          first = 0
        } else {
          first = 1
        }
      } else if survey.size != nil, isPage(answer, 2) {
        first = 0
      } else {
        continue
      }
      let evidence = answer.evidence("the records of page \(first == 1 ? 2 : 3)")
      survey.claims.add("page.style", "number", .proved, evidence)
      survey.claims.add("page.parameter", .string(name), .proved, evidence)
      survey.claims.add("page.first", .int(first), .proved, evidence)
      return true
    }
    return false
  }

  private func byOffset(isLast: Bool = false) async throws(BackendError) -> Bool {
    let all = survey.dialect.offsets + Dialect.plain.offsets
    let usual = survey.dialect.offsets.map(\.parameter)
    let own = documented(["offset", "skip", "start", "from", "index"])
    for name in try await candidates(usual, Dialect.plain.offsets.map(\.parameter), few, isLast, own) {
      let first = all.first { $0.parameter == name }?.first ?? 0
      guard let answer = try await survey.prober.get(start.with(name, few + first)), isPage(answer, 1) else { continue }
      let evidence = answer.evidence("the records behind the first \(few)")
      survey.claims.add("page.style", "offset", .proved, evidence)
      survey.claims.add("page.parameter", .string(name), .proved, evidence)
      if first != 0 { survey.claims.add("page.first", .int(first), .proved, evidence) }
      return true
    }
    return false
  }

  /// Sends back what a page names as the next one.
  private func byToken(_ next: NextPage) async throws(BackendError) -> Bool {
    guard next.form == .token else { return false }
    let member = next.location["member"]?.text?.split(separator: ".").last.map(String.init)
    let own = documented(["cursor", "token", "after", "marker", "next", "continu", "page", "start"], type: "string")
    let names = candidates([member.flatMap(Self.bare), member].compactMap(\.self), Self.tokens, own)
    for name in names.prefix(4 + min(own.count, 4)) {
      guard let answer = try await survey.prober.get(start.with(name, data: next.text)), isPage(answer, 1) else {
        continue
      }
      let evidence = answer.evidence("the records behind the first \(few)")
      survey.claims.add("page.style", "cursor", .proved, evidence)
      survey.claims.add("page.parameter", .string(name), .proved, evidence)
      survey.claims.add("page.next", .object(next.location), .proved, evidence)
      return true
    }
    return false
  }

  /// The name of a member without the word next, as the parameter is mostly called: of `nextPageToken`, `pageToken`.
  private static func bare(_ member: String) -> String? {
    guard member.lowercased().hasPrefix("next") else { return nil }
    let rest = member.dropFirst(4).drop { $0 == "_" || $0 == "-" }
    return rest.isEmpty ? nil : rest.prefix(1).lowercased() + rest.dropFirst()
  }

  /// Names the last record that came.
  private func after() async throws(BackendError) -> Bool {
    guard let identifier = survey.identifier, identifier.link.isEmpty, survey.rows.count >= few,
      let last = RecordID(identifier.value(of: survey.rows[few - 1]))
    else { return false }
    for name in candidates(survey.dialect.after, Dialect.plain.after).prefix(2) {
      guard let answer = try await survey.prober.get(start.with(name, data: last.text)), isPage(answer, 1) else {
        continue
      }
      let evidence = answer.evidence("the records behind the one that is named")
      survey.claims.add("page.style", "after", .proved, evidence)
      survey.claims.add("page.parameter", .string(name), .proved, evidence)
      survey.claims.add("page.field", .string(identifier.field), .proved, evidence)
      return true
    }
    return false
  }
}
