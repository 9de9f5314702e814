import BackendClient
import BackendKit
import ServiceDescription

/// Conditions of which a probe of common fields and common names shows nothing: on what names a record, on a part of a
/// text, and by parameters with names of their own.
extension FilterProbe {
  /// A condition that the service is shown to check, and the response that shows it.
  typealias Proved = (filter: Dialect.Filter, field: String, answer: ProbeResponse)

  /// Looks for a condition on what names the record, and for one on a part of a text by the parameter of one that was
  /// found: some services ask for both in the same words.
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
    // A parameter that does not ask for what is equal may ask for a part.
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

  /// Tries the parameters of the document that are called after a field or the resource, and not as the field is.
  func byOwnNames(_ proved: [Proved]) async throws(BackendError) -> [Proved] {
    var found: [Proved] = []
    func isKnown(_ comparison: String) -> Bool { (proved + found).contains { $0.filter.comparison == comparison } }
    for (parameter, name) in ownNames().prefix(Self.mostOwn) {
      guard let value = try await telling(values(of: name), name), let text = value.text else { continue }
      // One that finds parts of texts, by themselves or as patterns, is not one for what is equal.
      var isPart = false
      for form in ["{value}", "%{value}%"] where !isPart {
        let part = Dialect.Filter(comparison: "contains", parameter: parameter, value: form)
        guard let answer = try await holdsPart(part, name, text) else { continue }
        isPart = true
        if !isKnown("contains") { found.append((part, name, answer)) }
      }
      let equal = Dialect.Filter(comparison: "equal", parameter: parameter)
      if !isPart, !isKnown("equal"), let answer = try await holds(equal, (name, value)),
        // One that takes only values of its choice refuses conditions that the console would answer, and one that finds
        // what begins with a text finds with a part of it what has more.
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

  /// The answer to a condition on a part of a text that some other records do not have. A service that finds nothing for
  /// one or two letters, or refuses them, is left to the console.
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

  /// The last so many letters or digits of a text that stand together; nil if there are none.
  private static func letters(_ count: Int, in text: String) -> String? {
    text.split { !$0.isLetter && !$0.isNumber }.last { $0.count >= count }.map { String($0.suffix(count)) }
  }

  func values(of name: String) -> [Value] {
    let values = survey.rows.map { survey.fields(of: $0)[name] ?? .null }
    return values.filter { value in values.contains { $0 != value } }
  }

  /// The parameters of the document whose names hold that of a field that no parameter is called as, or that are called
  /// as one record, each with that field.
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
