/// The severity at the start of a message on standard error.
package enum MessageLabel: String, Sendable {
  case error, warning, note, hint
}
