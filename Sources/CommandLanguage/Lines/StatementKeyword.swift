/// The words that begin the statements of the script language, of which the command table only tells.
package enum StatementKeyword: String, CaseIterable, Sendable {
  case `for`, `if`, `try`, retry, `else`, end
  /// Of a variable; of a setting it is a command.
  case set
  case capture, expect
  case onError = "on-error"
  case exit, include, `break`, `continue`

  /// True if the statements that follow, up to `end`, belong to this one.
  package var opensBlock: Bool { [.for, .if, .try, .retry].contains(self) }
}
