import BackendClient
import BackendKit
import ServiceDescription

/// Conditions on the identifier, on substrings, and with parameters of unusual names.
extension FilterProbe {
  /// A condition that works, and the response that proves it.
  typealias Proved = (filter: Dialect.Filter, field: String, answer: ProbeResponse)

  /// Looks for a condition on the identifier, and for a substring condition with a parameter that was found: some
  /// services use the same words for both.
  func onNames(
    _ proved: [Proved], _ fields: [(name: String, value: Value)]
  ) async throws(BackendError) -> [Proved] {
    var found: [Proved] = []
    func isKnown(_ comparison: String) -> Bool { (proved + found).contains { $0.filter.comparison == comparison } }
    let isOpen = survey.unknown == "ignored" && survey.documented?.parameters.isEmpty ?? true
    let naming = isOpen ? survey.identifier?.fields.last : nil
    let simple = proved.first { $0.filter.comparison == "equal" && $0.filter.parameter.contains(text: "{field}") }?
      .filter
    guard let equal = simple ?? (isOpen && proved.isEmpty ? Dialect.plain.filters.first : nil) else { return [] }
    // A parameter that is not for equality may be for substrings.
    let known = Set([naming].compactMap(\.self) + proved.map(\.field)).sorted()
    let texts = isOpen ? fields.filter { $0.value.text != nil && !known.contains($0.name) }.map(\.name) : []
    for name in known + texts {
      guard !isKnown("contains"), let value = try await telling(values(of: name), name), let text = value.text else {
        continue
      }
      let part = Dialect.Filter(comparison: "contains", parameter: equal.parameter)
      if let answer = try await holdsPart(part, name, text) {
        found.append((part, name, answer))
      } else if !isKnown("equal"), let answer = try await holds(equal, (name, value)) {
        found.append((equal, name, answer))
      }
    }
    return found
  }

  /// Tries documented parameters whose names contain that of a field or the resource.
  func byOwnNames(_ proved: [Proved]) async throws(BackendError) -> [Proved] {
    var found: [Proved] = []
    func isKnown(_ comparison: String) -> Bool { (proved + found).contains { $0.filter.comparison == comparison } }
    for (parameter, name) in ownNames().prefix(Self.mostOwn) {
      guard let value = try await telling(values(of: name), name), let text = value.text else { continue }
      // A parameter that finds substrings, directly or as patterns, is not for equality.
      var isPart = false
      for form in ["{value}", "%{value}%"] where !isPart {
        let part = Dialect.Filter(comparison: "contains", parameter: parameter, value: form)
        guard let answer = try await holdsPart(part, name, text) else { continue }
        isPart = true
        if !isKnown("contains") { found.append((part, name, answer)) }
      }
      let equal = Dialect.Filter(comparison: "equal", parameter: parameter)
      if !isPart, !isKnown("equal"), let answer = try await holds(equal, (name, value)),
        // Parameters with fixed values refuse what the console could answer; those for prefixes find longer texts.
        let longer = try await ask(equal, name, .string(text + "z")), longer.rows != nil,
        let shorter = try await ask(equal, name, .string(String(text.dropLast()))), let rest = shorter.rows,
        rest.allSatisfy({ meets($0, equal.condition(name, .string(String(text.dropLast())))) })
      {
        found.append((equal, name, answer))
      }
    }
    return found
  }

  private static let mostOwn = 3

  /// The response to a substring that some other records lack. A service that refuses one or two letters, or finds
  /// nothing for them, is left to the console.
  func holdsPart(_ filter: Dialect.Filter, _ name: String, _ text: String) async throws(BackendError)
    -> ProbeResponse?
  {
    let part = String(text.dropFirst())
    guard part.count > 1, let answer = try await holds(filter, (name, .string(part))) else { return nil }
    for length in [2, 1] {
      guard let short = Self.letters(length, in: text) else { continue }
      let condition = filter.condition(name, .string(short))
      guard let page = try await ask(filter, name, .string(short)), page.rows != nil,
        hasAll(page, (survey.whole ?? survey.rows).count { meets($0, condition) })
      else { return nil }
    }
    return answer
  }

  /// The end of the last word that has at least this many letters or digits; nil if there is none.
  private static func letters(_ count: Int, in text: String) -> String? {
    text.split { !$0.isLetter && !$0.isNumber }.last { $0.count >= count }.map { String($0.suffix(count)) }
  }

  func values(of name: String) -> [Value] {
    let values = survey.rows.map { survey.fields(of: $0)[name] ?? .null }
    return values.filter { value in values.contains { $0 != value } }
  }

  /// Documented parameters whose names contain that of a field, or denote a single record, each with the field.
  private func ownNames() -> [(parameter: String, field: String)] {
    guard let row = survey.rows.first.map(survey.fields), let documented = survey.documented else { return [] }
    let known = Set(documented.parameters.map(DocumentedResource.plain))
    let fields = row.names.filter { name in
      row[name]?.text != nil && !known.contains(DocumentedResource.plain(name)) && !survey.prober.isSecret(name)
    }
    let used = [survey.size, survey.claims[.pageParameter], survey.claims[.sortParameter]]
    let parameters = documented.parameters(with: [""], type: "string").filter { !used.contains($0) }
    let naming = survey.identifier?.fields.last
    return parameters.compactMap { parameter in
      let plain = DocumentedResource.plain(parameter)
      let held = fields.filter { plain.contains(text: DocumentedResource.plain($0)) && $0.utf8.count > 2 }
      if let field = held.max(by: { $0.utf8.count < $1.utf8.count }) { return (parameter, field) }
      guard Plural.forms(of: plain).contains(survey.name.lowercased()) else { return nil }
      return (fields.first { $0 == "name" } ?? fields.first { $0 == naming }).map { (parameter, $0) }
    }
  }
}
