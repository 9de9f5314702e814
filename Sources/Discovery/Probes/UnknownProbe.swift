import BackendKit

/// Sends an unknown parameter. Its treatment determines what other parameters can prove.
struct UnknownProbe: Probe {
  static let parameter = "zz_no_such"
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard let first = survey.first, let before = survey.rows(of: first), !before.isEmpty,
      let answer = try await survey.prober.get(survey.target.with(Self.parameter, 1))
    else { return }
    let what: String
    if let rows = survey.rows(of: answer) {
      what = rows.isEmpty ? "none" : survey.keys(rows) == survey.keys(before) ? "ignored" : "all"
    } else {
      what = "refused"
    }
    survey.unknown = what
    survey.prove(.unknown, what, answer.evidence(survey.rows(of: answer).map { counted($0.count, "record") } ?? ""))
  }
}
