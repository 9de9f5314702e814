import BackendClient
import BackendKit
import ServiceDescription

/// Finds two parameters that select a page only together: its place and its size. The records of a page may be in
/// another place of the response than those of the whole list.
struct PairProbe: Probe {
  /// A parameter for the place of a page, and its value for the first one.
  private struct Place {
    let parameter: String
    let style: String
    let first: Int
  }

  static let requests = 24
  private var few: Int { survey.fewest }
  /// The number of pairs to try one by one if the service refuses unknown parameters.
  private static let mostPairs = 6
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard survey.size == nil, survey.claims[.pageStyle] == nil, survey.rows.count > few * 2 else { return }
    let (places, sizes) = (self.places, self.sizes)
    guard !places.isEmpty, !sizes.isEmpty else { return }
    if let holder = survey.documented?.collection.operations["GET"]?.holder {
      for encoding in ["rison", "json"] {
        let request: [Fact] = [
          Fact(.listRequestIn, "parameter"), Fact(.listRequestParameter, holder.parameter),
          Fact(.listRequestEncoding, encoding),
        ]
        if try await prove(places[0], sizes[0], request) { return }
      }
    }
    if survey.unknown == "refused", survey.documented == nil {
      let pairs = places.prefix(2).flatMap { place in sizes.prefix(3).map { (place, $0) } }
      for (place, size) in pairs.prefix(Self.mostPairs) where try await prove(place, size) { return }
      return
    }
    guard try await page(places, sizes) != nil else { return }
    // Most services have the first of these; then the others need no bisection.
    let isUsual = try await page(Array(places.prefix(1)), sizes) != nil
    let likely = isUsual ? Array(places.prefix(1)) : places
    let size = try await sizes.narrowed { half throws(BackendError) in try await page(likely, half) != nil }
    guard let size else { return }
    let place = try await likely.narrowed { half throws(BackendError) in try await page(half, [size]) != nil }
    if let place { _ = try await prove(place, size) }
  }

  private var places: [Place] {
    let (numbers, offsets) = (Dialect.plain.numbers, Dialect.plain.offsets)
    let names = survey.documented?.parameters(named: numbers + offsets.map(\.parameter))
    let usual =
      numbers.map { Place(parameter: $0, style: "number", first: 1) }
      + offsets.map { Place(parameter: $0.parameter, style: "offset", first: $0.first) }
    guard let names, survey.documented?.parameters.isEmpty == false else { return usual }
    return names.compactMap { name in
      let plain = DocumentedResource.plain(name)
      return usual.first { DocumentedResource.plain($0.parameter) == plain }.map {
        Place(parameter: name, style: $0.style, first: $0.first)
      }
    }
  }

  private var sizes: [String] {
    guard let documented = survey.documented, !documented.parameters.isEmpty else { return Dialect.plain.sizes }
    return documented.parameters(named: Dialect.plain.sizes)
  }

  /// The response to a request for a first page of two records with all of these parameters, and its shape.
  private func page(_ places: [Place], _ sizes: [String]) async throws(BackendError) -> (ProbeResponse, ListShape)? {
    let placed = places.reduce(survey.target) { $0.with($1.parameter, $1.first) }
    guard let answer = try await survey.prober.get(sizes.reduce(placed) { $0.with($1, few) }), answer.isSuccess,
      let shape = ListShape(answer.document, resource: survey.name, known: survey.shape?.path)
        ?? ListShape(answer.document, resource: survey.name),
      shape.rows.count == few, isKnown(shape.rows)
    else { return nil }
    return (answer, shape)
  }

  /// The response to the same request by the engine.
  private func engine(_ facts: [Fact]) async throws(BackendError) -> (ProbeResponse, ListShape)? {
    let list = survey.proposing(facts + [Fact(.endShortPage, true)])
    guard let answer = try await list.page(ListQuery(survey.path, pageSize: few))?.answer, answer.isSuccess,
      let shape = ListShape(answer.document, resource: survey.name, known: survey.shape?.path),
      shape.rows.count == few, isKnown(shape.rows)
    else { return nil }
    return (answer, shape)
  }

  private func isKnown(_ rows: [Object]) -> Bool {
    let known = Set(survey.keys(survey.rows))
    return survey.keys(rows).allSatisfy(known.contains)
  }

  /// Has the engine read the first two pages; false unless they have different records of the list.
  private func prove(
    _ place: Place, _ size: String, _ request: [Fact] = []
  ) async throws(BackendError) -> Bool {
    let found =
      request.isEmpty
      ? try await page([place], [size])
      : try await engine(way(place, place.first) + request + [Fact(.sizeParameter, size)])
    guard let (answer, shape) = found, let before = survey.shape else { return false }
    if shape.path != before.path { (survey.shape, survey.wholePath) = (shape, before.path) }
    let listed =
      request + (shape.path == before.path ? [] : [Fact(.recordsListPath, listPath(shape.path, before.path))])
    var first = place.first
    if place.style == "number", !startsWith(shape.rows), try await reads(place, 0, size, listed) != nil { first = 0 }
    guard let second = try await reads(place, first, size, listed) else {
      (survey.shape, survey.wholePath) = (before, nil)
      return false
    }
    for fact in listed {
      let isHeld = fact.path != Key.recordsListPath.path
      survey.claims.replace(
        fact, .proved,
        answer.evidence(
          isHeld ? counted(few, "record") : "records are in a different place when pages are requested"))
    }
    (survey.size, survey.few) = (size, answer)
    if survey.dialect.isPlain { survey.recognize(answer) }
    survey.claims.withdraw(.pageStyle)
    survey.claims.withdraw(.pageParameter)
    survey.prove(.sizeParameter, size, answer.evidence(counted(few, "record")))
    survey.prove(way(place, first), second.evidence("the records after the first \(few)"))
    return true
  }

  private func startsWith(_ rows: [Object]) -> Bool {
    survey.keys(rows) == survey.keys(Array(survey.rows.prefix(few)))
  }

  private func way(_ place: Place, _ first: Int) -> [Fact] {
    let isUsual = place.style == "offset" && first == 0
    return [Fact(.pageStyle, place.style), Fact(.pageParameter, place.parameter)]
      + (isUsual ? [] : [Fact(.pageFirst, first)])
  }

  /// The engine's response with the second page, if both pages have different records of the list.
  private func reads(
    _ place: Place, _ first: Int, _ size: String, _ listed: [Fact]
  ) async throws(BackendError) -> ProbeResponse? {
    let list = survey.proposing(
      way(place, first) + listed + [Fact(.sizeParameter, size), Fact(.endShortPage, true)])
    guard let one = try await list.page(ListQuery(survey.path, pageSize: few)), let rows = one.rows,
      let two = try await list.page(behind: few, size: few), let others = two.rows,
      rows.count == few, others.count == few, isKnown(rows + others),
      Set(survey.keys(rows)).isDisjoint(with: survey.keys(others))
    else { return nil }
    return two.answer
  }

  /// The path to the records of a page, followed by that of the whole list.
  private func listPath(_ page: [String], _ whole: [String]) -> Value {
    .array([page, whole].map { .string($0.isEmpty ? "$" : $0.joined(separator: ".")) })
  }
}
