/// How standard error is written.
public enum ErrorForm: String, Sendable, CaseIterable {
  case text, json
}
