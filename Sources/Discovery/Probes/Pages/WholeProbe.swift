import BackendClient
import BackendKit
import ServiceDescription

/// Looks for what would refute that a list without a way to a second page comes whole. Nothing proves it: the claim is
/// likely at most, and the description goes on to call the list untested.
struct WholeProbe: Probe {
  private let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  /// Sends all the usual parameters for a page of one record. A list that comes as it comes without them has none of
  /// these; one that is as long as a page usually is may be cut all the same.
  func run() async throws(BackendError) {
    guard mayBeWhole, let first = survey.first, let rows = survey.rows(of: first), rows.count > 1,
      !EndProof.isUsualPage(rows.count), survey.unknown != "refused"
    else { return }
    let places = (Dialect.plain.numbers + Dialect.plain.offsets.map(\.parameter)).map { ($0, 1) }
    let target = (places + Dialect.plain.sizes.map { ($0, 1) }).reduce(survey.target) { $0.with($1.0, $1.1) }
    guard let answer = try await survey.prober.get(target), let same = survey.rows(of: answer),
      survey.keys(same) == survey.keys(rows)
    else { return }
    survey.suppose(
      .pageStyle, "none",
      "\(counted(rows.count, "record")), not a usual page size; the usual paging parameters do not change the list"
    )
  }

  /// Takes a list that shows one record more after a creation, and all that it had, for longer than its first response
  /// was: it is not cut at that number.
  func run(before: [Object], after: [Object]) {
    let (old, new) = (survey.keys(before), Set(survey.keys(after)))
    guard mayBeWhole, after.count == before.count + 1, old.allSatisfy(new.contains) else { return }
    survey.suppose(.pageStyle, "none", "the list had \(counted(before.count, "record")), and one more after a create")
  }

  /// True if nothing has indicated pages so far: no parameter in the document, no link and no larger total.
  private var mayBeWhole: Bool {
    guard survey.claims[.pageStyle] == nil, survey.claims[.pageParameter] == nil, survey.size == nil,
      let first = survey.first, let rows = survey.rows(of: first), let path = survey.shape?.path
    else { return false }
    return !survey.claims.isContradicted(.pageStyle) && NextPage.find(in: first, rows: path) == nil
      && !Totals.candidates(first, path).contains { $0.count > rows.count }
  }
}
