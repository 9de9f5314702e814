import BackendKit
import ConsoleSystem

extension UsageError {
  /// The error for an unknown name. The hint is the name that was probably meant, otherwise the given one.
  init(
    _ message: String, _ name: String, among known: [String], else hint: String?, column: Int? = nil
  ) {
    let nearest = SpellingSuggestion.suggestion(for: name, among: known)
    self.init(message, hint: nearest.map { "did you mean \($0)?" } ?? hint, column: column)
  }
}
