import BackendClient
import BackendKit
import ServiceDescription

/// Attempts to refute that a list without a way to a second page is complete. Nothing proves it: the claim is likely at
/// most, and the description still calls the list untested.
struct WholeProbe: Probe {
  let survey: ResourceSurvey

  /// Sends all usual parameters for a page of one record. If the response does not change, the list has none of them;
  /// but a list as long as a usual page may still be cut.
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

  /// Takes a list that grew by one after a creation to be complete: it is not cut at its former length.
  func run(before: [Object], after: [Object]) {
    let (old, new) = (survey.keys(before), Set(survey.keys(after)))
    guard mayBeWhole, after.count == before.count + 1, old.allSatisfy(new.contains) else { return }
    survey.suppose(.pageStyle, "none", "the list had \(counted(before.count, "record")), and one more after a create")
  }

  /// True if nothing suggests pages: no parameter in the document, no link, no larger total.
  private var mayBeWhole: Bool {
    guard survey.claims[.pageStyle] == nil, survey.claims[.pageParameter] == nil, survey.size == nil,
      let first = survey.first, let rows = survey.rows(of: first), let path = survey.shape?.path
    else { return false }
    return !survey.claims.isContradicted(.pageStyle) && NextPage.find(in: first, rows: path) == nil
      && !Totals.candidates(first, path).contains { $0.count > rows.count }
  }
}
