import BackendClient
import BackendKit
import ServiceDescription

/// A key and its content, proposed or known.
struct Fact: FactName {
  let path: String
  let value: Value

  var name: String { path }

  /// A key with its content; with null if `content` is nil.
  init<Content>(_ key: Key<Content>, _ content: Content?) { (path, value) = (key.path, content?.value ?? .null) }
}

extension Object {
  subscript<Content>(key: Key<Content>) -> Content? {
    get { self[key.name].flatMap { Content.content(of: $0) } }
    set { self[key.name] = newValue?.value }
  }
}

/// The facts about a resource, with their evidence.
struct Claims {
  private(set) var list: [SurveyClaim] = []
  /// The fields that a new record may require. Until this is known, no such field is proved as a whole.
  var perhapsRequired: Set<String> = []
  let resource: String?

  init(_ resource: String?) { self.resource = resource }

  // MARK: Known facts

  /// The content of a key that is proved or likely.
  subscript<Content>(key: Key<Content>) -> Content? { taken(key).flatMap { Content.content(of: $0) } }

  /// The value of a fact that is proved or likely, as written in a description.
  func taken(_ fact: some FactName) -> Value? {
    guard let claim = claim(fact), [.proved, .likely].contains(claim.grade) else { return nil }
    return claim.value
  }

  func claim(_ fact: some FactName) -> SurveyClaim? { list.first { $0.fact == fact.path } }

  func isProved<Content>(_ key: Key<Content>) -> Bool { claim(key)?.grade == .proved }

  func isContradicted<Content>(_ key: Key<Content>) -> Bool { claim(key)?.grade == .contradicted }

  /// Returns whether the service is taken to lack something.
  func isDenied<Content>(_ key: Key<Content>) -> Bool { taken(key) == .null }

  func members(of section: String) -> [(name: String, claim: SurveyClaim)] {
    list.filter { $0.fact.hasPrefix(section + ".") }.map { (String($0.fact.dropFirst(section.count + 1)), $0) }
  }

  // MARK: Findings

  /// Adds a fact unless a better one is known; without content, that the service lacks it.
  mutating func add<Content>(
    _ key: Key<Content>, _ content: Content?, _ grade: SurveyClaim.Grade, _ evidence: String,
    from source: SurveyClaim.Source = .probe
  ) {
    add(Fact(key, content), grade, evidence, from: source)
  }

  mutating func add(
    _ fact: Fact, _ grade: SurveyClaim.Grade, _ evidence: String, from source: SurveyClaim.Source = .probe
  ) {
    // A known part proves that the whole exists.
    if grade == .proved || grade == .likely {
      list.removeAll { $0.grade == .untested && fact.path.hasPrefix($0.fact + ".") }
    }
    if let known = list.first(where: { $0.fact == fact.path }), known.grade == .proved, grade != .proved { return }
    put(fact, grade, evidence, from: source)
  }

  /// Marks a fact as contradicted, even if it was proved.
  mutating func contradict<Content>(_ key: Key<Content>, _ content: Content?, _ evidence: String) {
    replace(Fact(key, content), .contradicted, evidence)
  }

  /// Marks accepted facts as contradicted.
  mutating func contradict(_ facts: [any FactName], _ evidence: String) { grade(facts, .contradicted, evidence) }

  /// Marks accepted facts as proved.
  mutating func prove(_ facts: [any FactName], _ evidence: String) { grade(facts, .proved, evidence) }

  private mutating func grade(_ facts: [any FactName], _ grade: SurveyClaim.Grade, _ evidence: String) {
    for place in list.indices where facts.contains(where: { $0.path == list[place].fact }) {
      guard [.proved, .likely].contains(list[place].grade) else { continue }
      (list[place].grade, list[place].evidence, list[place].source) = (grade, evidence, .probe)
    }
  }

  /// Replaces a claim, even if it was proved.
  mutating func replace<Content>(
    _ key: Key<Content>, _ content: Content?, _ grade: SurveyClaim.Grade, _ evidence: String
  ) {
    replace(Fact(key, content), grade, evidence)
  }

  mutating func replace(_ fact: Fact, _ grade: SurveyClaim.Grade, _ evidence: String) {
    guard list.contains(where: { $0.fact == fact.path }) else { return add(fact, grade, evidence) }
    put(fact, grade, evidence)
  }

  private mutating func put(
    _ fact: Fact, _ grade: SurveyClaim.Grade, _ evidence: String, from source: SurveyClaim.Source = .probe
  ) {
    let claim = SurveyClaim(
      resource: resource, fact: fact.path, value: fact.value, grade: grade, evidence: evidence, source: source)
    if let place = list.firstIndex(where: { $0.fact == fact.path }) { list[place] = claim } else { list.append(claim) }
  }

  mutating func rewordEvidence(_ reworded: (String) -> String) {
    for place in list.indices { list[place].evidence = reworded(list[place].evidence) }
  }

  mutating func withdraw<Content>(_ key: Key<Content>) { withdraw([key]) }

  mutating func withdraw(_ facts: [any FactName]) {
    list.removeAll { claim in facts.contains { $0.path == claim.fact } }
  }

  /// Marks a fact as untested if nothing is known of it.
  mutating func leave<Content>(_ key: Key<Content>, _ reason: String) { leave([key], reason) }

  mutating func leave(_ facts: [any FactName], _ reason: String) {
    for fact in facts where claim(fact) == nil { add(Fact(Key<Value>(fact.path), nil), .untested, reason) }
  }
}
