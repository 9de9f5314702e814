import BackendClient
import BackendKit

extension CommandContext {
  /// The identifiers that words of a command give, all of the right form; throws where one has another.
  ///
  /// A condition is refused: nothing is read from or written to whatever record there is by that name, and nobody is asked
  /// about records that were never meant. A word in quotes or after `--` is an identifier.
  func identifiers(
    _ words: [Word], of invocation: Invocation, _ target: Target, _ resource: ResourceDescription
  ) async throws -> [InputIdentifier] {
    try refuseConditions(words, of: invocation, target)
    let words = try words.map { word throws(UsageError) in try identifier(word, of: target) }
    let given = try words.map { word throws(UsageError) in try InputIdentifier(word, resource) }
    for (word, given) in zip(words, given) where !word.isUnknown {
      if let complaint = resource.identifier.complaint(about: given.id.text) {
        throw UsageError(
          complaint,
          hint: await targets.nearestTarget(word.text).map { "nothing was sent; did you mean \($0)?" }
            ?? "nothing was sent; \(targets.backendNames)")
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

  private func refuseConditions(
    _ words: [Word], of invocation: Invocation, _ target: Target
  ) throws(UsageError) {
    guard let word = words.first(where: { $0.isBare && Predicates.looksLikePredicate($0) }) else { return }
    let command = row?.name ?? ""
    let changes = row?.takes(.assignment) == true
    if changes, Predicates.looksLikeAssignment(word) {
      let typed = invocation.words.map(\.text)
      let index = typed.firstIndex(of: word.text) ?? 0
      throw UsageError(
        "which record? \(command) \((typed.prefix(index) + ["ID"] + typed.dropFirst(index)).joined(separator: " "))",
        hint: "an identifier that looks like a condition must be quoted; nothing was sent", column: word.column)
    }
    let more = changes ? " FIELD=VALUE" : ""
    throw UsageError(
      "\"\(word.text)\" is a condition, and \(command) takes identifiers",
      hint:
        "list \(target.description) CONDITION --all -o id prints the identifiers for \(command) \(target.description) --from FILE\(more), "
        + "and for row in (list \(target.description) CONDITION) runs commands for each record; "
        + "an identifier that looks like a condition must be quoted; nothing was sent",
      column: word.column)
  }
}
