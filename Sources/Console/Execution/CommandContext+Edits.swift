import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem
import ConsoleSetup

extension CommandContext {
  /// Returns the changes of these fields that words request. A value given for a secret field is a secret from then on.
  func edits(
    _ invocation: Invocation, _ fields: [FieldDescription], sendingTo client: Client? = nil
  ) throws -> FieldEdits {
    let words = invocation.words(.assignment)
    let unset = invocation.values(of: "unset")
    let edits = try Assignments.edits(from: words, unset: unset, fields: fields, readFile: read) { path, field in
      guard let client else { throw UsageError("\(field.name) is a file field: use create or update to send a file") }
      let file = try localFile(path, for: field)
      client.offer(file)
      return file.value
    }
    let secret = Set(fields.filter(\.isSecret).map(\.name))
    reporter.blanking.see(
      edits.changes.compactMap { change in
        guard case .set(let name, let value) = change, secret.contains(name) else { return nil }
        return value.plainText
      })
    return edits
  }
}
