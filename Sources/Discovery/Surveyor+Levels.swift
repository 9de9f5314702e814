import BackendKit

/// Resources surveyed after one question: those that the service names, then those that roots among them name.
struct Level {
  /// The maximum depth of nested roots.
  private static let deepest = 2
  private(set) var candidates: Candidates
  private(set) var place: Int
  private var followed: Set<String> = []

  init(candidates: Candidates, place: Int) { (self.candidates, self.place) = (candidates, place) }

  /// Goes on to the resources that the surveyed roots name; false if there are none.
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
  func isBelow(_ path: String) -> Bool { collection.hasPrefix(Candidates.plain(path) + "/") }
}
