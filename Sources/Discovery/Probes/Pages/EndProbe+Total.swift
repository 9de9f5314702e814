import BackendClient
import BackendKit
import ServiceDescription

extension EndProbe {
  /// Finds where the service reports the number of records, proved by the whole list or the last page of a long one.
  func total(_ reported: [Totals.Candidate], _ path: [String]) async throws(BackendError) {
    if style == nil, survey.whole == nil, let first = survey.first, let rows = survey.rows(of: first),
      rows.count == survey.rows.count, !reported.contains(where: { $0.count > rows.count }),
      NextPage.find(in: first, rows: path) == nil, hasMore(first)?.value != true
    {
      survey.whole = rows
    }
    if let whole = survey.whole {
      // Whatever its name, a number that matches the whole list but no part of it counts the list.
      let named = [survey.first, survey.few].compactMap(\.self).flatMap {
        Totals.candidates($0, path, withAny: true)
      }
      let counts = (reported + named).filter { $0.count == whole.count && whole.count > 0 }
      if let right = counts.first(where: { survey.grade(ofTotal: $0) == .proved }) {
        survey.total = whole.count
        return survey.prove(.total, right.location, "it is the number of records in the whole list, \(whole.count)")
      }
      if try await asked(whole.count, path) { return }
      if let head = try await survey.prober.get(survey.target, method: "HEAD"),
        let right = Totals.candidates(head, path).first(where: { $0.count == whole.count }), whole.count > 0,
        survey.grade(ofTotal: right) == .proved || (survey.rows(of: survey.first)?.count ?? whole.count) < whole.count
      {
        survey.total = whole.count
        var location = right.location
        location["head"] = true
        return survey.prove(.total, location, head.evidence("it is the number of records in the whole list"))
      }
      if let likely = counts.first(where: { survey.grade(ofTotal: $0) == .likely }) {
        return survey.suppose(.total, likely.location, "its name, and it equals the number of records received")
      }
      let isPage = reported.contains { $0.count == whole.count }
      return survey.claims.leave(
        .total,
        isPage
          ? "a number in the response equals the number of records received, which may be only one page"
          : "no number in the response equals the number of records")
    }
    guard let candidate = reported.first, candidate.count > survey.rows.count else {
      return survey.claims.leave(.total, "not seen")
    }
    let size = survey.fewest
    let start = (candidate.count - 1) / size * size
    guard survey.size != nil, let last = try await page(start, size: size), let rows = last.rows,
      rows.count == candidate.count - start, let beyond = try await page(start + size, size: size)?.answer
    else {
      return survey.suppose(
        .total, candidate.location,
        "its name, and it is larger than the number of records on the page")
    }
    // After a page that is not full nothing follows, whatever the status.
    guard survey.rows(of: beyond)?.isEmpty ?? (isPastEnd(beyond.status) || rows.count < size) else {
      return survey.claims.leave(
        .total, "\(beyond.evidence("behind the last page")): there may be more records than the total")
    }
    survey.total = candidate.count
    survey.prove(
      .total, candidate.location,
      "\(last.answer.evidence(counted(rows.count, "record"))); \(beyond.evidence("after the last"))")
  }

  private static let switches = [
    ("meta", "*"), ("count", "true"), ("$count", "true"), ("include_total", "true"), ("withTotal", "true"),
  ]

  /// Looks for a total that has to be requested: with all usual parameters at once, then by bisection.
  private func asked(_ count: Int, _ path: [String]) async throws(BackendError) -> Bool {
    guard count > 0, survey.unknown == "ignored", survey.documented?.parameters.isEmpty ?? true else { return false }
    func answer(_ names: [(String, String)]) async throws(BackendError) -> (Object, ProbeResponse)? {
      guard let answer = try await survey.prober.get(names.reduce(survey.target) { $0.with($1.0, $1.1) }),
        let right = Totals.candidates(answer, path).first(where: {
          $0.count == count && survey.grade(ofTotal: $0, besides: answer) == .proved
        })
      else { return nil }
      return (right.location, answer)
    }
    let usual = (survey.dialect.totals.isEmpty ? Self.switches : survey.dialect.totals).filter { $0.0 != survey.size }
    guard try await answer(usual) != nil else { return false }
    let one = try await usual.narrowed { half throws(BackendError) in try await answer(half) != nil }
    guard let one, let (found, answer) = try await answer([one]) else { return false }
    var location = found
    location["parameters"] = .object(Object([(one.0, .string(one.1))]))
    survey.total = count
    survey.prove(.total, location, answer.evidence("it is the number of records in the whole list, \(count)"))
    return true
  }
}
