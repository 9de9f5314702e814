import BackendClient
import BackendKit
import ConsoleSetup
import ConsoleSystem

extension CommandContext {
  /// Throws where the backend's configuration lets nothing be written to it.
  func checkWritable(_ target: Target) throws(UsageError) {
    try Restriction.current.checkWriting()
    let configuration = target.backend.configuration
    guard configuration.isReadOnly else { return }
    throw UsageError(
      "\(configuration.name) is read only, as \(configuration.place("readOnly")) says")
  }
}
