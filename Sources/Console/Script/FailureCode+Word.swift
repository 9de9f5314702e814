import CommandLanguage
import ConsoleSystem

extension FailureCode {
  static func named(_ word: Word) throws(UsageError) -> String {
    if let code = all.first(where: { $0.rawValue == word.text }) { return code.rawValue }
    let names = all.map(\.rawValue)
    throw UsageError(
      "unknown error code \"\(word.text)\"", word.text, among: names,
      else: "codes: \(names.joined(separator: ", "))", column: word.column)
  }
}
