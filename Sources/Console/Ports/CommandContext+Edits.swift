import BackendKit
import CommandLanguage
import ConsoleSetup

extension CommandContext {
  /// Returns the changes of these fields that words request. A value given for a secret field is a secret from then on.
  func edits(_ invocation: Invocation, _ fields: [FieldDescription]) throws -> FieldEdits {
    let edits = try Assignments.edits(
      from: invocation.words(.assignment), unset: invocation.values(of: "unset"), fields: fields, readFile: read)
    let secret = Set(fields.filter(\.isSecret).map(\.name))
    reporter.blanking.see(
      edits.changes.compactMap { change in
        guard case .set(let name, let value) = change, secret.contains(name) else { return nil }
        return value.plainText
      })
    return edits
  }
}
