import BackendClient
import BackendKit

struct OtherFields: UpdatePart {
  let updates: TrialUpdates

  /// Updates only the marker, now that the record has other values than it was created with, and checks whether they
  /// stay. After an update that altered other fields this proves nothing.
  func compare(since made: Object) async throws(BackendError) {
    guard let marked, !survey.claims.isProved(.updateMerges), survey.claims[.updateMerges] != false,
      case .record(let before, _) = try await look()
    else { return }
    // Only fields that are stored as sent count: others may change with any write.
    let others = before.members.compactMap { name, value -> String? in
      let isKept = record.writable.contains(name) || record.madeWith[name]?.isSame(as: value) == true
      let isUsable = name != marked.name && !record.isNaming(name) && isKept && !value.isBlank
      return isUsable && value != made[name] ?? .null ? name : nil
    }
    let text = before[marked.name] == .string(marked.text) ? Marker.changed(marked.text) : marked.text
    guard !others.isEmpty, let answer = try await updates.send(Object([(marked.name, .string(text))])).answer else {
      return
    }
    guard answer.isSuccess else {
      guard answer.judgesValues else { return }
      return survey.suppose(.updateMerges, false, answer.evidence("one field alone is refused"))
    }
    guard case .record(let after, let read) = try await look(), after[marked.name] == .string(text),
      let fate = Fate.of(others, before, after)
    else { return }
    let evidence = answer.evidence("one field alone; \(read.evidence(fate.text))")
    step("one field alone", evidence)
    record.othersFate = fate
    let isShown = updates.shows(fate, of: others, before)
    // A record whose other values may be defaults is sent whole.
    guard isShown || survey.claims[.updateMerges] != nil else { return }
    survey.claims.add(.updateMerges, fate == .stay, isShown ? fate.grade : .likely, evidence)
  }

  /// Leaves it untested whether updates keep the fields that they do not name, if the record had no value to show it.
  func leave() {
    guard marked != nil, record.othersFate == nil, merges,
      !survey.claims.isProved(.updateMerges)
    else { return }
    survey.claims.withdraw(.updateMerges)
    survey.claims.leave(.updateMerges, "the test record had no other value that an update could have removed")
    survey.note("nothing shows whether an update keeps the fields that it does not name; records are sent whole")
  }
}
