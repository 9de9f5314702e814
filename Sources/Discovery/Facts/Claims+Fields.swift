import BackendClient
import BackendKit
import ServiceDescription

/// Facts of fields: a claim for each field, whose member `likely` lists the facts that are not proved.
extension Claims {
  subscript(field name: String) -> Object? { self[.field(name)] }

  subscript<Content>(field name: String, key: Key<Content>) -> Content? {
    self[field: name]?[key.name].flatMap { Content.content(of: $0) }
  }

  var fields: [(name: String, claim: SurveyClaim)] { members(of: "fields") }

  func isProved<Content>(field name: String, _ key: Key<Content>) -> Bool {
    guard let facts = claim(Key.field(name))?.value.object else { return false }
    return facts[key.name] != nil && !Self.likely(facts).contains(key.name)
  }

  private static func likely(_ facts: Object) -> [String] {
    facts[Key.fieldLikely.name]?.array?.compactMap(\.text) ?? []
  }

  /// Adds a fact. A proved one is not replaced by a weaker one; a contradicted or untested one is removed.
  mutating func claim<Content>(
    field name: String, _ key: Key<Content>, _ content: Content?, _ evidence: String, _ grade: SurveyClaim.Grade
  ) {
    let known = claim(Key.field(name))
    let fact = key.name
    var facts = known?.value.object ?? Object()
    var likely = Self.likely(facts)
    // Other facts of a field, such as a note on its limits, never cause a write to be refused.
    let isGraded = FieldDescription.Fact(rawValue: fact) != nil
    let isProved = isGraded && facts[fact] != nil && !likely.contains(fact)
    likely.removeAll { $0 == fact }
    let wasOpen = perhapsRequired.contains(name)
    if fact == Key.fieldRequired.name, grade != .likely { perhapsRequired.remove(name) }
    switch grade {
    case .proved: facts[fact] = content?.value
    case .likely:
      guard !isProved else { return }
      facts[fact] = content?.value
      if isGraded { likely.append(fact) }
    case .contradicted, .untested: facts[fact] = nil
    }
    // `likely` stays the last member.
    facts[Key.fieldLikely.name] = nil
    if !likely.isEmpty { facts[Key.fieldLikely.name] = likely.value }
    let isShown = grade == .proved || known?.grade == .proved || wasOpen && facts[Key.fieldType.name] != nil
    let isWhole = isShown && likely.isEmpty && !perhapsRequired.contains(name)
    replace(Fact(.field(name), facts), isWhole ? .proved : .likely, evidence)
  }
}
