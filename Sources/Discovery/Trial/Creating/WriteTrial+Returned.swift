import BackendClient
import BackendKit
import ServiceDescription

/// The question whether the response to a creation shows the record as it is stored, or the values as they were sent.
extension WriteTrial {
  /// Compares the record in the response to a creation with the record read. If the response lacks fields, or shows what
  /// was sent instead of what is stored, it does not count as the record.
  func compareShown(_ shown: Object?, _ fields: Object, _ read: ProbeResponse) {
    guard let shown, survey.claims[.createReturns] == "record" else { return }
    let other = fields.members.filter { name, value in
      guard let claimed = shown[name] else { return value != .null }
      return madeWith[name] != nil && !claimed.isSame(as: value)
    }
    guard !other.isEmpty else { return }
    distrust(read.evidence("\(counted(other.count, "field")) whose value differs from the response to the create"))
  }

  /// Makes another record with a text that services change, a capital and blanks around it, and deletes it: only the
  /// response to such a one tells an echo from what is stored.
  func createSpaced() async throws(BackendError) {
    guard survey.claims[.createReturns] == "record", let identifier = survey.identifier, let marked else { return }
    let other = clearable.flatMap { $0.name != marked.name && madeWith[$0.name]?.text != nil ? $0.name : nil }
    let name = other ?? marked.name
    var all = madeWith
    all[marked.name] = .string(Marker.again(marked.text))
    guard let text = (name == marked.name ? marked.text : all[name]?.text), !text.contains(text: "://") else { return }
    all[name] = .string(Marker.spaced(text))
    nameAnew(&all, identifier)
    let outcome = try await make(all)
    if case .answered(let answer) = outcome {
      step("create with blanks", answer.evidence(answer.outcome))
      guard answer.isSuccess || answer.status >= 500 else { return }
      let kept = leftover
      isStoredShown = try await discard(answer.isSuccess ? answer : nil, identifier, Object())
      // A service that fails has seldom made anything, and the list does not show it.
      if !answer.isSuccess, leftover?.hasPrefix("possibly") == true { leftover = kept }
    } else {
      step("create with blanks", "no response; looking for the marker")
      _ = try await discard(nil, identifier, Object())
    }
  }

  /// Has records read after they are created where no response was shown to be what is stored.
  func settleReturned() {
    guard !isStoredShown, survey.claims[.persistenceKept] == "yes", survey.claims[.createReturns] == "record",
      let creation
    else { return }
    distrust(creation.evidence("it may be what was sent: no text that services change was stored"))
  }

  /// Takes what a response shows of a new record for no more than what names it.
  private func distrust(_ evidence: String) {
    guard let identifier = survey.identifier else { return }
    // A name that was chosen is known.
    if isAtItem { return claim(.createReturns, "nothing", evidence) }
    guard identifier.link.isEmpty, identifier.parts.isEmpty else {
      if creation.flatMap(located) != nil { claim(.createReturns, "location", evidence) }
      return
    }
    claim(.createReturns, "identifier", evidence)
    claim(.createIdentifierPath, (identifier.oneAt + [identifier.field]).joined(separator: "."), evidence)
  }
}
