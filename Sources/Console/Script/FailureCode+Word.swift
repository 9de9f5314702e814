import BackendKit
import CommandLanguage
import ConsoleSystem

extension FailureCode {
  /// The code that a word of a script names; throws where there is none.
  static func named(_ word: Word) throws(UsageError) -> String {
    if let code = all.first(where: { $0.rawValue == word.text }) { return code.rawValue }
    let names = all.map(\.rawValue)
    throw UsageError(
      "unknown error code \"\(word.text)\"",
      hint: SpellingSuggestion.suggestion(for: word.text, among: names).map { "did you mean \($0)?" }
        ?? "codes: \(names.joined(separator: ", "))", column: word.column)
  }
}
