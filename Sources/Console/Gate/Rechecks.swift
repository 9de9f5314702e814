import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension SharedOptions {
  static let recheck = OptionSyntax(
    "recheck", help: "read each record again before it is written, and skip it if it no longer matches")
}

extension Target {
  /// Returns whether each record is read again before it is written: on request, and always in production.
  func rechecks(_ invocation: Invocation, _ resource: ResourceDescription) throws(UsageError) -> Bool {
    let isAsked = invocation.has("recheck")
    guard resource.capabilities.operations.contains(.get) else {
      if isAsked {
        throw UsageError(
          "--recheck reads single records, which \(description) does not support")
      }
      return false
    }
    return isAsked || backend.configuration.isProduction
  }

  /// Returns the risk of writes to records that a list showed, as a line of their plan; nil if each is sent at the
  /// revision that was read, or is read again first.
  func gap(in writes: some Sequence<Write>, _ resource: ResourceDescription, isRechecked: Bool) -> String? {
    let can = resource.capabilities
    guard !isRechecked else { return nil }
    let open = writes.first { write in
      guard let id = write.id else { return false }
      return !(write.isDeletion ? can.deletesAtRevision : can.hasRevisions) || client.revision(of: id, in: path) == nil
    }
    guard let open else { return nil }
    let effect =
      open.isDeletion
      ? "a record that changes after the list was read is deleted anyway"
      : "changes made by others after the list was read are overwritten"
    return can.operations.contains(.get) ? "\(effect); --recheck reads each record first" : effect
  }
}
