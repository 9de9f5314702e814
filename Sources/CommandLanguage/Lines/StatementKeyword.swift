/// The keywords of the script language; the command table only describes them.
package enum StatementKeyword: String, CaseIterable, Sendable {
  case `for`, `if`, `try`, retry, `else`, end
  /// For variables; for settings it is a command.
  case set
  case capture, expect
  /// Gives what the next statement returns in a preview, which cannot run it.
  case assume
  case onError = "on-error"
  case exit, include, `break`, `continue`

  /// True if the statements that follow, up to `end`, belong to it.
  package var opensBlock: Bool { [.for, .if, .try, .retry].contains(self) }
}
