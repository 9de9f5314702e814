import BackendKit
import ServiceDescription

/// Determines whether the response to a creation shows the record as stored, or only as sent.
struct ShownRecord: TrialPart {
  let record: TrialRecord

  /// Compares the record in the response with the one read. If fields are missing, or differ from what is stored, the
  /// response does not count as the record.
  func compare(_ shown: Object?, _ fields: Object, _ read: ProbeResponse) {
    guard let shown, survey.claims[.createReturns] == "record" else { return }
    let other = fields.members.filter { name, value in
      guard let claimed = shown[name] else { return value != .null }
      return record.madeWith[name] != nil && !claimed.isSame(as: value)
    }
    guard !other.isEmpty else { return }
    distrust(read.evidence("\(counted(other.count, "field")) whose value differs from the response to the create"))
  }

  /// Has new records read unless a response was shown to match what is stored.
  func settle() {
    guard !record.isStoredShown, survey.claims[.persistenceKept] == "yes", survey.claims[.createReturns] == "record",
      let creation = record.creation
    else { return }
    distrust(creation.evidence("it may be what was sent: no text that services change was stored"))
  }

  private func distrust(_ evidence: String) {
    guard let identifier = survey.identifier else { return }
    // A chosen name is known.
    if record.isAtItem { return survey.prove(.createReturns, "nothing", evidence) }
    guard identifier.link.isEmpty, identifier.parts.isEmpty else {
      if record.creation.flatMap(record.located) != nil { survey.prove(.createReturns, "location", evidence) }
      return
    }
    survey.prove(.createReturns, "identifier", evidence)
    survey.prove(.createIdentifierPath, (identifier.oneAt + [identifier.field]).joined(separator: "."), evidence)
  }
}
