import BackendKit

/// The resources that are looked at after one question: those that the service names, and then those that roots among
/// them name.
struct Level {
  /// The maximum depth to which roots within roots are followed.
  private static let deepest = 2
  private(set) var candidates: Candidates
  private(set) var place: Int
  private var followed: Set<String> = []

  init(candidates: Candidates, place: Int) { (self.candidates, self.place) = (candidates, place) }

  /// Takes what is named by the roots among the resources that were looked at; false if there is nothing more.
  mutating func goOn(with surveys: [ResourceSurvey]) -> Bool {
    guard place < Self.deepest else { return false }
    place += 1
    let roots = surveys.filter { survey in
      survey.shape == nil && survey.documented == nil && survey.first?.document?.object != nil
        && followed.insert(survey.collection).inserted
    }
    candidates.takeRoots(roots.compactMap { root in root.first.map { (root.collection, $0) } })
    for root in roots where candidates.list.contains(where: { $0.isBelow(root.collection) }) {
      root.notes = []
    }
    return !candidates.list.isEmpty
  }
}

extension Candidate {
  /// Returns whether its path is below another.
  func isBelow(_ path: String) -> Bool { collection.hasPrefix(Candidates.plain(path) + "/") }
}
