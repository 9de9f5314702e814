/// The format of standard error.
public enum ErrorForm: String, Sendable, CaseIterable {
  case text, json
}
