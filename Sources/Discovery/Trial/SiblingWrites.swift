import BackendClient
import BackendKit

/// Facts of writes that several resources of a service have proved alike: they are likely for one that refused its trial.
enum SiblingWrites {
  /// The number of resources that make a habit.
  private static let enough = 2

  static func claim(_ trials: [WriteTrial]) {
    let shown = trials.map(\.survey).filter { $0.claims.isProved("create.method") }
    guard shown.count >= enough else { return }
    for survey in trials.filter(\.isRefused).map(\.survey) {
      for fact in ["create.method", "update.method", "delete.method"] {
        let known = shown.filter { $0.claims.isProved(fact) }
        suppose(fact, known.map { $0.claims[fact] ?? .null }, known, survey)
      }
      // Fields may be wrapped in what a single record is read from.
      let known = shown.filter { $0.claims.isProved("create.wrap") }
      let wraps = known.map { $0.claims["create.wrap"] ?? .null }
      let own = survey.claims["records.recordPath"]
      let areOwn = zip(known, wraps).allSatisfy { $0.claims["records.recordPath"] == $1 }
      suppose("create.wrap", areOwn ? known.map { _ in own ?? .null } : wraps, known, survey)
    }
  }

  private static func suppose(
    _ fact: String, _ values: [Value], _ known: [ResourceSurvey], _ survey: ResourceSurvey
  ) {
    let verb = String(fact.prefix { $0 != "." })
    guard values.count >= enough, let value = values.first, value != .null, values.allSatisfy({ $0 == value }),
      survey.claims[verb] == nil,
      !survey.claims.list.contains(where: { $0.fact == fact && $0.grade != .untested })
    else { return }
    let names = known.map(\.name).joined(separator: ", ")
    survey.claims.add(fact, value, .likely, "as shown for \(names)")
  }
}
