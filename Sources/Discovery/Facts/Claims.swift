import BackendClient
import BackendKit

/// The facts that are known of one resource, with what they are known from.
struct Claims {
  private(set) var list: [SurveyClaim] = []
  let resource: String?

  init(_ resource: String?) { self.resource = resource }

  /// Adds a fact, or replaces what was known of it less well.
  mutating func add(
    _ fact: String, _ value: Value, _ grade: SurveyClaim.Grade, _ evidence: String,
    from source: SurveyClaim.Source = .probe
  ) {
    let claim = SurveyClaim(
      resource: resource, fact: fact, value: value, grade: grade, evidence: evidence, source: source)
    if let place = list.firstIndex(where: { $0.fact == fact }) {
      guard list[place].grade != .proved || grade == .proved else { return }
      list[place] = claim
    } else {
      list.append(claim)
    }
  }

  /// Replaces what was said of a fact by what showed otherwise, however well it was known.
  mutating func contradict(_ fact: String, _ value: Value, _ evidence: String) {
    replace(fact, value, .contradicted, evidence)
  }

  /// Puts a claim in the place of what was known, however well.
  mutating func replace(_ fact: String, _ value: Value, _ grade: SurveyClaim.Grade, _ evidence: String) {
    guard let place = list.firstIndex(where: { $0.fact == fact }) else { return add(fact, value, grade, evidence) }
    list[place] = SurveyClaim(resource: resource, fact: fact, value: value, grade: grade, evidence: evidence)
  }

  /// Takes a fact away.
  mutating func withdraw(_ fact: String) { list.removeAll { $0.fact == fact } }

  /// Adds that nothing showed a fact, where nothing else is known of it.
  mutating func leave(_ fact: String, _ reason: String) {
    guard !list.contains(where: { $0.fact == fact }) else { return }
    add(fact, .null, .untested, reason)
  }

  /// A fact that the description takes: proved or likely.
  subscript(fact: String) -> Value? {
    list.first { $0.fact == fact && ($0.grade == .proved || $0.grade == .likely) }?.value
  }

  func isProved(_ fact: String) -> Bool { list.contains { $0.fact == fact && $0.grade == .proved } }
}
