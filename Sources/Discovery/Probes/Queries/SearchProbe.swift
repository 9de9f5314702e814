import BackendClient
import BackendKit
import ServiceDescription

/// Finds the parameter for full-text search: the records that the engine reads must contain the text, no known one with
/// it may be missing, and a text in no record must find none. A search by words, or in only some fields, differs from
/// the console's.
struct SearchProbe: Probe {
  private static let nothing = "switchboardfindsnothing"
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard let text = text() else {
      return survey.claims.leave(.searchParameter, "no text occurs in only some of the records")
    }
    var names = self.names
    // The dialect's parameter is tried alone, the usual ones by bisection.
    if !survey.dialect.isPlain, let name = survey.dialect.searches.first, try await isFound(text, [name]) != nil {
      names = [name]
    }
    guard !names.isEmpty, try await isFound(text, names) != nil else {
      return survey.claims.leave(.searchParameter, "none of the usual parameters searches the records")
    }
    let found = try await names.narrowed { half throws(BackendError) in try await isFound(text, half) != nil }
    guard let name = found, let answer = try await isFound(text, [name]),
      let none = try await survey.proposing(facts(name)).page(query(Self.nothing)), none.rows?.isEmpty == true
    else { return survey.claims.leave(.searchParameter, "what was found does not depend on the text") }
    // A search by words does not find parts of them.
    let word = text.split(separator: " ").max { $0.count < $1.count } ?? ""
    let part = String(word.dropFirst().dropLast())
    guard part.count > 1, try await isFound(part, [name]) != nil else {
      return survey.claims.leave(.searchParameter, "\(name) does not find parts of words")
    }
    for other in texts() where other != text {
      guard try await isFound(other, [name]) == nil else { continue }
      return survey.claims.leave(.searchParameter, "\(name) searches in some of the fields only")
    }
    survey.prove(facts(name), answer.evidence("all records contain the text; \(none.answer.evidence("no records"))"))
  }

  /// The parameters to try: those in the document, the dialect's, or else the usual ones.
  private var names: [String] {
    let usual = survey.dialect.searches + Dialect.plain.searches.filter { !survey.dialect.searches.contains($0) }
    if let documented = survey.documented, !documented.parameters.isEmpty { return documented.parameters(named: usual) }
    return ["ignored", "all"].contains(survey.unknown) ? usual : survey.dialect.searches
  }

  /// A text in some but not all records.
  private func text() -> String? {
    for row in survey.rows.reversed() {
      for (name, value) in survey.fields(of: row).members where !survey.prober.isSecret(name) {
        guard let text = value.text, (4...60).contains(text.utf8.count), !value.isDay,
          text.utf8.allSatisfy({ $0 < 0x80 && !"\"'\\,:/".utf8.contains($0) }),
          !survey.rows.allSatisfy({ holds(text, $0) })
        else { continue }
        return text
      }
    }
    return nil
  }

  private func texts() -> [String] {
    let rows = survey.rows.map { survey.fields(of: $0) }
    return (rows.first?.names ?? []).filter { !survey.prober.isSecret($0) }.compactMap { name in
      rows.compactMap { $0[name]?.text }.last { !$0.isEmpty && $0.utf8.count <= 60 }
    }
  }

  private func holds(_ text: String, _ row: Object) -> Bool { QueryRules.contains(text, survey.fields(of: row)) }

  private func facts(_ name: String) -> [Fact] { [Fact(.searchParameter, name)] }

  private func query(_ text: String) -> ListQuery { ListQuery(survey.path, search: text) }

  /// The response to a search by these parameters, if it finds the text and nothing else.
  private func isFound(_ text: String, _ names: [String]) async throws(BackendError) -> ProbeResponse? {
    guard let (answer, found) = try await survey.read(names.map(facts), query(text)), let rows = found, !rows.isEmpty,
      rows.allSatisfy({ holds(text, $0) })
    else { return nil }
    let expected = survey.rows.count { holds(text, $0) }
    guard rows.count >= min(expected, survey.rows(of: survey.first)?.count ?? expected) else { return nil }
    survey.compareTotal(rows, answer)
    return answer
  }
}
