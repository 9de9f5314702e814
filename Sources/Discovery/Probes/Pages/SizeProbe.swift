import BackendClient
import BackendKit
import ServiceDescription

/// Finds the parameter for the page size, its default and its maximum.
struct SizeProbe: Probe {
  /// A size that few lists have without a parameter.
  static let few = 2
  /// The size to request to find the maximum, unless one is documented.
  static let many = 1_000
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    let least = (survey.documented?.sizes ?? []).lazy.compactMap { schema(of: $0)?["minimum"]?.integer }.first
    if let least, least > Self.few { survey.fewest = least }
    guard survey.rows.count > survey.fewest * 2 else {
      return survey.claims.leave(.sizeParameter, "the list has only \(counted(survey.rows.count, "record"))")
    }
    guard let (parameter, answer) = try await parameter() else {
      survey.claims.leave(.sizeParameter, "none of the usual parameters changes the number of records")
      return
    }
    survey.size = parameter
    survey.few = answer
    // Some can only be recognized by a page.
    if survey.dialect.isPlain { survey.recognize(answer) }
    survey.prove(.sizeParameter, parameter, answer.evidence(counted(survey.fewest, "record")))
    if survey.fewest > Self.few { survey.suppose(.sizeMinimum, survey.fewest, "the document", from: .document) }
  }

  /// The first parameter that yields a list of few records. Names from the document or the dialect are tried one by
  /// one, the others by bisection.
  private func parameter() async throws(BackendError) -> (String, ProbeResponse)? {
    let usual = survey.dialect.sizes + Dialect.plain.sizes
    let documented = survey.documented?.parameters(named: usual) ?? []
    var tried: Set<String> = []
    let next = survey.first.flatMap { NextPage.find(in: $0, rows: survey.shape?.path ?? []) }
    let named = next.map { $0.form == .address ? Link.parameters($0.text) : [] } ?? []
    // Parameters in the document come first, whatever their names.
    let others = survey.documented?.sizes ?? []
    let likely =
      documented + usual.filter(named.contains) + others.filter { !documented.contains($0) }
      + (survey.dialect.isPlain ? [] : survey.dialect.sizes.prefix(1))
    for name in likely.prefix(documented.isEmpty ? 6 : 4) where tried.insert(name).inserted {
      if let answer = try await answer(to: [name]) { return (name, answer) }
    }
    var seen = tried
    var rest = usual.filter { seen.insert($0).inserted }
    guard survey.unknown != "refused" else {
      // The service refuses unknown parameters even together with known ones.
      for name in alike(rest) { if let answer = try await answer(to: [name]) { return (name, answer) } }
      return nil
    }
    // If the likely names failed, the usual ones are no likelier than the others.
    let usualest = Array(rest.prefix(tried.isEmpty ? Self.mostUsual : rest.count))
    if let found = try await one(of: usualest) { return found }
    rest.removeFirst(usualest.count)
    return try await one(of: rest)
  }

  /// The number of names that cover most services.
  private static let mostUsual = 4

  /// Finds by bisection the name that yields a list of few records.
  private func one(of names: [String]) async throws(BackendError) -> (String, ProbeResponse)? {
    guard !names.isEmpty, try await answer(to: names) != nil else { return nil }
    let name = try await names.narrowed { half throws(BackendError) in try await answer(to: half) != nil }
    guard let name, let answer = try await answer(to: [name]) else { return nil }
    return (name, answer)
  }

  /// The first names, preferably those spelled like the members of the list.
  private func alike(_ names: [String]) -> [String] {
    let members = survey.first?.document?.object?.names ?? []
    let isCamel = members.contains { $0.contains { $0.isUppercase } }
    let isSnake = members.contains { $0.contains("_") }
    func isAlike(_ name: String) -> Bool {
      isCamel && name.contains { $0.isUppercase } || isSnake && name.contains("_")
    }
    return Array((names.filter(isAlike) + names.filter { !isAlike($0) }).prefix(5))
  }

  /// The response with these parameters; nil unless it has few records.
  private func answer(to names: [String]) async throws(BackendError) -> ProbeResponse? {
    let target = names.reduce(survey.target) { $0.with($1, survey.fewest) }
    guard let answer = try await survey.prober.get(target), let rows = survey.rows(of: answer),
      rows.count == survey.fewest,
      survey.keys(rows) == survey.keys(Array(survey.rows.prefix(survey.fewest)))
    else { return nil }
    return answer
  }

  func runOnMost() async throws(BackendError) {
    guard let parameter = survey.size else { return }
    let documented = schema(of: parameter)?["maximum"]?.integer
    let wanted = documented.map { $0 + 1 } ?? Self.many
    guard let answer = try await page(of: wanted, parameter) else { return }
    survey.most = (answer, wanted)
    if answer.status >= 400 && answer.status < 500 {
      survey.prove(.sizeWhenTooLarge, "refuse", answer.evidence())
      // The refusal of one more does not prove that this many are sent.
      if let documented { return survey.suppose(.sizeMaximum, documented, answer.evidence()) }
      return try await accepted(parameter)
    }
    guard let rows = survey.rows(of: answer) else { return }
    remember(rows)
    let evidence = answer.evidence(counted(rows.count, "record"))
    let next = NextPage.find(in: answer, rows: survey.shape?.path ?? [])
    let reported = Totals.candidates(answer, survey.shape?.path ?? []).map(\.count).filter { $0 >= rows.count }
    if rows.count < wanted, next != nil || reported.contains(where: { $0 > rows.count }) {
      survey.prove(.sizeMaximum, rows.count, evidence)
      survey.prove(.sizeWhenTooLarge, "clamp", evidence)
    } else if rows.count < wanted {
      (survey.whole, survey.last) = (rows, answer)
      // The page size that the service reports says more than the number of records.
      if let size = reportedSize(in: answer), rows.count < size, size < wanted {
        survey.prove(.sizeMaximum, size, answer.evidence("it reports the size of its page"))
        survey.prove(.sizeWhenTooLarge, "clamp", answer.evidence("it reports the size of its page"))
      }
      survey.claims.leave(.sizeMaximum, "\(evidence): the whole list, or the maximum page size")
    }
    defaultSize(next: next)
  }

  /// The first page of this size. The engine sends a size only if it knows a way to the next page.
  private func page(of size: Int, _ parameter: String) async throws(BackendError) -> ProbeResponse? {
    guard survey.claims[.pageStyle] != nil else {
      return try await survey.prober.get(survey.target.with(parameter, size))
    }
    return try await survey.proposing([]).page(ListQuery(survey.path, pageSize: size))?.answer
  }

  /// Claims the default size if the list without a size has more records.
  private func defaultSize(next: NextPage?) {
    guard let first = survey.first, let rows = survey.rows(of: first) else { return }
    let isPage = survey.rows.count > rows.count || NextPage.find(in: first, rows: survey.shape?.path ?? []) != nil
    guard isPage else { return }
    survey.prove(.sizeDefault, rows.count, first.evidence(counted(rows.count, "record")))
  }

  /// Finds the largest accepted of the usual sizes, if a far larger one is refused.
  private func accepted(_ parameter: String) async throws(BackendError) {
    let usual = usual
    var (low, high) = (0, usual.count)
    var accepted: (size: Int, answer: ProbeResponse)?
    var refused: (size: Int, answer: ProbeResponse)?
    while low < high {
      let middle = (low + high) / 2
      guard let answer = try await page(of: usual[middle], parameter) else { break }
      if let rows = survey.rows(of: answer) {
        remember(rows)
        accepted = (usual[middle], answer)
        low = middle + 1
      } else {
        refused = (usual[middle], answer)
        high = middle
      }
    }
    defaultSize(next: nil)
    guard let accepted else { return }
    survey.suppose(
      .sizeMaximum, accepted.size,
      accepted.answer.evidence() + (refused.map { "; " + $0.answer.evidence() } ?? ""))
  }

  /// Finds a default size that no page has shown: as reported in a response, or else by the document.
  func runOnDefault() async throws(BackendError) {
    guard let parameter = survey.size, survey.claims[.sizeDefault] == nil else { return }
    if let (size, answer) = try await reported() {
      survey.suppose(.sizeDefault, size, answer.evidence("it reports the size of its page"))
    } else if let size = schema(of: parameter)?["default"]?.integer, size > 0 {
      survey.suppose(.sizeDefault, size, "the document", from: .document)
    }
  }

  /// The size reported in a response without a size parameter, at a place where a page of few records reports their number.
  private func reported() async throws(BackendError) -> (size: Int, answer: ProbeResponse)? {
    guard let few = survey.few, reportedSize(in: few) != nil else { return nil }
    var target = survey.target
    if survey.wholePath != nil, let name = survey.claims[.pageParameter] {
      target = target.with(name, survey.claims[.pageFirst] ?? 0)
    }
    guard let answer = try await survey.prober.get(target), let rows = survey.rows(of: answer),
      let size = reportedSize(in: answer), size >= rows.count, size > 0
    else { return nil }
    return (size, answer)
  }

  /// The places beside the records where a page of few records reports their number.
  private var reportedPlaces: [[String]] {
    guard let few = survey.few, let path = survey.shape?.path else { return [] }
    return ListShape.siblings(of: path, in: few.document).filter { place, value in
      let name = DocumentedResource.plain(place.last ?? "")
      return value.integer == survey.fewest && ["size", "limit", "perpage"].contains { name.hasSuffix($0) }
    }.map(\.path)
  }

  private static let headers = ["X-Per-Page", "Per-Page", "X-Page-Size"]

  /// The page size in a response, at a place or in a header field where a page of few records reports their number.
  private func reportedSize(in answer: ProbeResponse) -> Int? {
    func number(in header: String, _ answer: ProbeResponse?) -> Int? { answer?.header(header).flatMap { Int($0) } }
    let size = reportedPlaces.lazy.compactMap { place in
      answer.document.flatMap { ListShape.value($0, at: place) }?.integer
    }.first
    return size
      ?? Self.headers.first { number(in: $0, survey.few) == survey.fewest }.flatMap { number(in: $0, answer) }
  }

  private func schema(of parameter: String) -> Object? {
    survey.documented?.collection.operations["GET"]?.parameters.first { $0.name == parameter }?.schema
  }

  private var usual: [Int] { [10, 20, 25, 50, 100, 200, 250, 500].filter { $0 >= survey.fewest } }

  private func remember(_ rows: [Object]) { if rows.count > survey.rows.count { survey.rows = rows } }
}
