import BackendClient
import BackendKit
import ServiceDescription

/// The fate of the fields that a change does not name.
extension WriteTrial {
  /// The fate of fields that a change has not named.
  enum Fate {
    case stay
    /// None stays, and some have no value any more: the service has replaced the record.
    case lost
    /// Some stay, and others have no value any more, which may follow from what was changed.
    case emptied
    /// Some have another value, which may be that of a new record, or follow from what was changed.
    case altered

    var text: String {
      switch self {
      case .stay: "the others stay"
      case .lost: "others are gone"
      case .emptied: "some of the others are gone"
      case .altered: "others have another value"
      }
    }
    /// True if sending one field only may remove others.
    var isLoss: Bool { self == .lost || self == .emptied }
    var grade: SurveyClaim.Grade { self == .stay || self == .lost ? .proved : .likely }
  }

  /// The fate of these fields; nil if there are none, which shows nothing.
  func fate(of names: [String], _ before: Object, _ after: Object) -> Fate? {
    guard !names.isEmpty else { return nil }
    let staying = names.count { stays($0, before, after) }
    if staying == names.count { return .stay }
    guard names.contains(where: { Self.isEmpty(after[$0] ?? .null) }) else { return .altered }
    return staying == 0 ? .lost : .emptied
  }

  /// Returns whether the fate of fields shows what a change does: fields that stay show it only if one has a value that
  /// no service sets itself, a text of the trial or a number that the trial has changed.
  func shows(_ fate: Fate?, of names: [String], _ before: Object) -> Bool {
    fate.map { $0 != .stay } == true
      || names.contains { name in
        guard let value = before[name] else { return false }
        if case .number = value { return writable.contains(name) }
        return marker.isIn(value)
      }
  }

  /// Returns whether a value is null or empty.
  static func isEmpty(_ value: Value) -> Bool { [.null, "", [], [:]].contains(value) }

  /// Gives another field a text, together with the marker, and changes the marker alone: where the record was made with
  /// nothing else that a change could take away.
  func fillOther() async throws(BackendError) {
    guard let marked, let clearable, clearable.name != marked.name, let made = self.made?.fields,
      let text = marker.text(upTo: clearable.maximumLength), let method = survey.claims[.updateMethod],
      case .answered(let answer) = try await send(
        method, Object([(marked.name, .string(marked.text)), (clearable.name, .string(text))]), type: patchType),
      answer.isSuccess, case .record(let after, _) = try await look(), after[clearable.name] == .string(text)
    else { return }
    writable.insert(clearable.name)
    try await changeAlone(since: made)
  }

  /// Sends another text for the marker alone where the record holds other values than it was made with: whether these
  /// stay. If a change has altered others before, this proves nothing.
  func changeAlone(since made: Object) async throws(BackendError) {
    guard let marked, !survey.claims.isProved(.updateMerges), survey.claims[.updateMerges] != false,
      let method = survey.claims[.updateMethod], case .record(let before, _) = try await look()
    else { return }
    // Only fields that hold what was sent: others may change with any write.
    let others = before.members.compactMap { name, value -> String? in
      let isKept = writable.contains(name) || madeWith[name]?.isSame(as: value) == true
      let isUsable =
        name != marked.name && !isNaming(name) && isKept && !Self.isEmpty(value)
      return isUsable && value != made[name] ?? .null ? name : nil
    }
    let text = before[marked.name] == .string(marked.text) ? Marker.changed(marked.text) : marked.text
    guard !others.isEmpty,
      case .answered(let answer) = try await send(
        method, Object([(marked.name, .string(text))]), type: patchType)
    else { return }
    guard answer.isSuccess else {
      guard answer.judgesValues else { return }
      return survey.claims.add(.updateMerges, false, .likely, answer.evidence("one field alone is refused"))
    }
    guard case .record(let after, let read) = try await look(), after[marked.name] == .string(text),
      let fate = fate(of: others, before, after)
    else { return }
    let evidence = answer.evidence("one field alone; \(read.evidence(fate.text))")
    step("one field alone", evidence)
    othersFate = fate
    let isShown = shows(fate, of: others, before)
    // A record whose other values may be those of a new one is sent whole.
    guard isShown || survey.claims[.updateMerges] != nil else { return }
    survey.claims.add(.updateMerges, fate == .stay, isShown ? fate.grade : .likely, evidence)
  }

  /// Takes back that a change leaves the other fields alone once one has taken a text of the trial's own away that it
  /// did not name, whatever it was sent for.
  func noteLoss(_ named: Set<String>, _ before: Object, _ after: Object, _ read: ProbeResponse) {
    let others = before.names.filter { name in
      !named.contains(name) && !isNaming(name) && before[name].map(marker.isIn) == true
    }
    guard survey.claims[.updateMerges] == true, let fate = fate(of: others, before, after), fate.isLoss else {
      return
    }
    // A field that one change leaves alone and another does not may follow from the field that was changed.
    let isProved = survey.claims.isProved(.updateMerges)
    guard !isProved || fate == .lost else { return }
    let evidence = read.evidence("\(fate.text), which an update of another field did not name")
    step("other fields", evidence)
    othersFate = fate
    survey.claims.replace(.updateMerges, false, isProved ? .likely : fate.grade, evidence)
  }

  /// Leaves open whether an update keeps the fields that it does not name, where nothing that the record held shows it.
  func leaveMerging() {
    guard marked != nil, othersFate == nil, survey.claims[.updateMerges] == true,
      !survey.claims.isProved(.updateMerges)
    else { return }
    survey.claims.withdraw(.updateMerges)
    survey.claims.leave(.updateMerges, "the test record had no other value that an update could have removed")
    survey.notes.append(
      "\(survey.name): nothing shows whether an update keeps the fields that it does not name; records are sent whole")
  }

  /// Gives the record its marker again where a change has taken it away: what stays has to be known for a test record.
  func markAgain() async throws(BackendError) {
    guard let marked, survey.claims.isProved(.updateMethod), made?.fields[marked.name].map(marker.isIn) != true,
      case .answered(let answer) = try await sendFitting(Object([(marked.name, .string(marked.text))])),
      answer.isSuccess
    else { return }
    _ = try await look()
  }
}
