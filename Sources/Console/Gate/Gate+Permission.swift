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

  /// Throws if nobody can answer the question about the writes that a command is going to find. Production wants their
  /// number, so without it and without a person to ask nothing is read.
  func checkAnswerable(_ target: Target, _ invocation: Invocation) throws(UsageError) {
    guard target.backend.configuration.isProduction, writes.plan == nil, !invocation.has("dry-run"),
      invocation.value(of: "yes") == nil, invocation.has("yes") || !canAsk
    else { return }
    throw UsageError(
      "writing \(target.description) (production) needs --yes=N; nothing was sent",
      hint: "--dry-run shows the number of writes")
  }
}
