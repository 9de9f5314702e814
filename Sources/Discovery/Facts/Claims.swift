import BackendClient
import BackendKit

/// The facts that are known of one resource, with what they are known from.
struct Claims {
  private(set) var list: [SurveyClaim] = []
  /// The fields of which it is open whether a new record needs them: nothing is proved of one as a whole before that.
  var perhapsRequired: Set<String> = []
  let resource: String?

  init(_ resource: String?) { self.resource = resource }

  /// Adds a fact, or replaces what was known of it less well.
  mutating func add(
    _ fact: String, _ value: Value, _ grade: SurveyClaim.Grade, _ evidence: String,
    from source: SurveyClaim.Source = .probe
  ) {
    let claim = SurveyClaim(
      resource: resource, fact: fact, value: value, grade: grade, evidence: evidence, source: source)
    // A known part proves that the whole exists.
    if grade == .proved || grade == .likely {
      list.removeAll { $0.grade == .untested && fact.hasPrefix($0.fact + ".") }
    }
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

  /// Adds a fact of a field to what is known of the field: one object for each field, whose member `likely` names the
  /// facts that are not proved. A fact that is proved is not replaced by one that is less; one that is contradicted or
  /// untested is taken away.
  mutating func claim(
    field name: String, _ fact: String, _ value: Value, _ evidence: String, _ grade: SurveyClaim.Grade,
    from source: SurveyClaim.Source = .probe
  ) {
    let known = list.first { $0.fact == "fields.\(name)" }
    var facts = known?.value.object ?? Object()
    var likely = Self.likely(facts)
    // Other facts of a field, such as a note on its limits, do not reject any write.
    let isGraded = FieldDescription.Fact(rawValue: fact) != nil
    let isProved = isGraded && facts[fact] != nil && !likely.contains(fact)
    likely.removeAll { $0 == fact }
    let wasOpen = perhapsRequired.contains(name)
    if fact == "required", grade != .likely { perhapsRequired.remove(name) }
    switch grade {
    case .proved: facts[fact] = value
    case .likely:
      guard !isProved else { return }
      facts[fact] = value
      if isGraded { likely.append(fact) }
    case .contradicted, .untested: facts[fact] = nil
    }
    // At its end, whatever was added last.
    facts["likely"] = nil
    if !likely.isEmpty { facts["likely"] = .array(likely.map { .string($0) }) }
    let isShown = grade == .proved || known?.grade == .proved || wasOpen && facts["type"] != nil
    let isWhole = isShown && likely.isEmpty && !perhapsRequired.contains(name)
    let whole: SurveyClaim.Grade = isWhole ? .proved : .likely
    let claim = SurveyClaim(
      resource: resource, fact: "fields.\(name)", value: .object(facts), grade: whole, evidence: evidence,
      source: source)
    if let place = list.firstIndex(where: { $0.fact == claim.fact }) { list[place] = claim } else { list.append(claim) }
  }

  /// The names of the facts of a field that are only likely.
  static func likely(_ facts: Object) -> [String] { facts["likely"]?.array?.compactMap(\.text) ?? [] }

  /// Returns whether a fact of a field is proved.
  func isProved(field name: String, _ fact: String) -> Bool {
    guard let facts = list.first(where: { $0.fact == "fields.\(name)" })?.value.object else { return false }
    return facts[fact] != nil && !Self.likely(facts).contains(fact)
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
