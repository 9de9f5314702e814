import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

struct Conditions: CommandPart {
  let context: CommandContext

  /// Refuses words that are meant as a condition but are none: an unquoted expression, whose first word `--where` may
  /// have taken, or a field without a value.
  func check(_ words: [Word], _ target: Target, after expression: String?) async throws {
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

  /// Refuses fields that the resource certainly lacks, and warns of those that it may lack.
  func check(_ paths: [FieldPath], of target: Target, _ resource: ResourceDescription) throws(UsageError) {
    for error in resource.unknownFields(paths, of: target.description) {
      guard resource.mayHaveOtherFields else { throw error }
      if run.settings.isStrict { throw UsageError(error.message, hint: error.hint ?? "--strict is on") }
      warn(error.sentence)
    }
  }
}

extension ResourceDescription {
  var isDescribed: Bool { source != .unknown && !fields.isEmpty }

  /// The complaints about fields that records lack, or may lack if they may have undescribed ones: one for each name.
  func unknownFields(_ paths: [FieldPath], of place: String) -> [UsageError] {
    guard isDescribed else { return [] }
    let names = fields.map(\.name)
    var said: Set<String> = []
    return paths.filter { path in
      path.holders.allSatisfy { field(named: $0) == nil } && said.insert(path.field).inserted
    }.map { path in
      let suggestion =
        path.computationHint
        ?? SpellingSuggestion.suggestion(for: path.field, among: names).map { "did you mean \($0)?" }
      let known = mayHaveOtherFields ? nil : "fields: \(names.joined(separator: ", "))"
      return UsageError("unknown field \"\(path.field)\" in \(place)", hint: suggestion ?? known)
    }
  }
}
