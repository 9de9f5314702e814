import BackendClient
import ServiceDescription

/// Facts about writes that several resources have proved alike; likely for one that refused its trial.
enum SiblingWrites {
  /// The number of resources that must agree.
  private static let enough = 2

  static func claim(_ trials: [WriteTrial]) {
    let shown = trials.map(\.survey).filter { $0.claims.isProved(.createMethod) }
    guard shown.count >= enough else { return }
    for survey in trials.filter(\.isRefused).map(\.survey) {
      for key in [.createMethod, .updateMethod, .deleteMethod] as [Key<String>] {
        let known = shown.filter { $0.claims.isProved(key) }
        suppose(key, known.map { $0.claims[key] }, known, survey)
      }
      // The wrapping may be that of each resource's single records.
      let known = shown.filter { $0.claims.isProved(.createWrap) }
      let areOwn = known.allSatisfy { $0.claims[.recordsRecordPath] == $0.claims[.createWrap] }
      let own = survey.claims[.recordsRecordPath]
      suppose(.createWrap, known.map { areOwn ? own : $0.claims[.createWrap] }, known, survey)
    }
  }

  private static func suppose(
    _ key: Key<String>, _ values: [String?], _ known: [ResourceSurvey], _ survey: ResourceSurvey
  ) {
    let verb = String(key.path.prefix { $0 != "." })
    guard values.count >= enough, let value = values[0], values.allSatisfy({ $0 == value }),
      survey.claims.taken(verb) == nil, [nil, .untested].contains(survey.claims.claim(key)?.grade)
    else { return }
    let names = known.map(\.name).joined(separator: ", ")
    survey.suppose(key, value, "as shown for \(names)")
  }
}
