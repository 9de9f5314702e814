import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension Finding {
  /// The finding without the secrets of its statement, in message and row.
  func blanked(_ blanking: Blanking) -> Finding {
    var finding = self
    let command = statement.text
    finding.error.message = blanking.text(error.message, quoting: command)
    finding.error.hint = error.hint.map { blanking.text($0, quoting: command) }
    let plain = blanking.text(command, quoting: command)
    guard plain != command else { return finding }
    finding.statement.text = plain
    /// Returns the blanked text before a place, or before the secret that the place is in.
    func before(_ text: String) -> String {
      let blanked = blanking.text(text, quoting: command)
      return plain.hasPrefix(blanked) ? blanked : ""
    }
    finding.error.column = error.column.map { before(String(command.prefix($0 - 1))).count + 1 }
    finding.statement.rows = statement.rows.map {
      before(String(decoding: command.utf8.prefix($0), as: UTF8.self)).utf8.count
    }
    return finding
  }
}
