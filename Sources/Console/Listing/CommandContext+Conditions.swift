import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

extension CommandContext {
  /// The identifiers that words of a command give, all of the right form; throws where one has another, or where none is given. A
  /// resource that is one record is named without one, unless it has others and nothing tells that it is meant.
  ///
  /// A condition is refused: nothing is read from or written to whatever record there is by that name, and nobody is asked
  /// about records that were never meant. A word in quotes or after `--` is an identifier.
  func identifiers(
    _ invocation: Invocation, of target: Target, _ resource: ResourceDescription
  ) async throws -> [InputIdentifier] {
    let rule = resource.identifier
    let change = invocation.word(.assignment)
    let isMeant = change != nil || invocation.has("unset") || row?.effects.contains(.writesRecords) == false
    guard invocation.word(.identifier) != nil else {
      if rule.form == .none || rule.isOptional && isMeant { return [InputIdentifier(id: .sole, place: nil)] }
      guard let change else { throw invocation.reading.lacks(.identifier) }
      let typed = invocation.words.map { $0 == change ? "ID \($0.text)" : $0.text }.joined(separator: " ")
      throw UsageError(
        "which record? \(row?.name ?? "") \(typed)",
        hint: "an identifier that looks like a condition must be quoted", column: change.column)
    }
    let words = invocation.words(.identifier)
    try refuseConditions(words, target)
    let meant = try words.map { word throws(UsageError) in try identifier(word, of: target) }
    let given = try meant.map { word throws(UsageError) in try InputIdentifier(word, resource) }
    for (word, given) in zip(meant, given) where !word.isUnknown {
      if let complaint = rule.complaint(about: given.id.text) {
        throw UsageError(
          "\(target.description): \(complaint)",
          hint: await targets.nearestTarget(word.text).map { "did you mean \($0)?" }
            ?? targets.backendNames)
      }
    }
    return given
  }

  /// Refuses words that are meant as a condition and are none: an expression without quotes, of which `--where` may have taken the
  /// first word, and a field without a value.
  func checkConditions(_ words: [Word], _ target: Target, after expression: String?) async throws {
    if words.contains(where: { !$0.isQuoted && ["and", "or", "not"].contains($0.text.lowercased()) }) {
      let whole = ([expression].compactMap(\.self) + words.map(\.text)).joined(separator: " ")
      throw UsageError("quote the whole condition: --where \"\(whole)\"", column: words.first?.column)
    }
    let fields = try await target.client.resource(target.path).fields
    for word in words where !word.isQuoted && !Predicates.looksLikePredicate(word) {
      guard let field = fields.first(where: { $0.name == word.text }) else { continue }
      let example = field.values.first?.plainText ?? Self.example(of: field.kind)
      throw UsageError("\(word.text) needs a value; write \(word.text)=\(example), without spaces", column: word.column)
    }
  }

  private static func example(of kind: FieldDescription.Kind) -> String {
    switch kind {
    case .boolean: "true"
    case .integer, .number: "1"
    default: "TEXT"
    }
  }

  private func refuseConditions(_ words: [Word], _ target: Target) throws(UsageError) {
    guard let word = words.first(where: { $0.isBare && Predicates.looksLikePredicate($0) }) else { return }
    let command = row?.name ?? ""
    let more = row?.takes(.assignment) == true ? " FIELD=VALUE" : ""
    throw UsageError(
      "\"\(word.text)\" is a condition, and \(command) takes identifiers",
      hint:
        "list \(target.description) CONDITION --all -o id prints the identifiers for \(command) \(target.description) --from FILE\(more), "
        + "and for row in (list \(target.description) CONDITION) runs commands for each record; "
        + "an identifier that looks like a condition must be quoted",
      column: word.column)
  }
}
