import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension Session {
  /// Registers the secret fields of the backends that a statement may use, before a report quotes it: it may have
  /// failed before they were opened. Sends nothing.
  func learnSecretFields(of statement: String) async {
    guard OperatorSigns.mayGiveValue(statement) else { return }
    var names = context.blanking.undescribed(in: statement)
    if let current = targets.current?.backend, !context.blanking.isDescribed(current) { names.insert(current) }
    for name in names.sorted() {
      do {
        try Restriction.current.check(backend: name, in: targets.configuration)
        guard let configuration = targets.configuration(of: name) else { continue }
        let backend = try OpenBackend(
          configuration, catalog: catalog, connector: CheckConnector(rehearsal: Rehearsal()),
          blanking: context.blanking)
        _ = try await backend.client.describe(.known)
      } catch {
        // The command that needs the backend reports why it cannot be opened.
        continue
      }
    }
  }
}
