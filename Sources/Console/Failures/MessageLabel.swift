/// The severity at the start of a message on standard error.
enum MessageLabel: String, Sendable {
  case error, warning, note, hint
}
