import BackendKit
import ConsoleSystem

extension UsageError {
  /// The error for a name that is not among the known ones. Its hint is the one that was probably meant, else another.
  init(
    _ message: String, _ name: String, among known: [String], else hint: String?, column: Int? = nil
  ) {
    let nearest = SpellingSuggestion.suggestion(for: name, among: known)
    self.init(message, hint: nearest.map { "did you mean \($0)?" } ?? hint, column: column)
  }
}
