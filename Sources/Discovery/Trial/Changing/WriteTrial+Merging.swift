import BackendClient
import BackendKit

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

  func fate(of names: [String], _ before: Object, _ after: Object) -> Fate {
    let staying = names.count { stays($0, before, after) }
    if staying == names.count { return .stay }
    guard names.contains(where: { Self.isEmpty(after[$0] ?? .null) }) else { return .altered }
    return staying == 0 ? .lost : .emptied
  }

  /// Returns whether the fate of fields shows what a change does: fields that stay show it only if one has a value that
  /// no service sets itself, a text of the trial or a number that the trial has changed.
  func shows(_ fate: Fate, of names: [String], _ before: Object) -> Bool {
    fate != .stay
      || names.contains { name in
        guard let value = before[name] else { return false }
        if case .number = value { return writable.contains(name) }
        return marker.isIn(value)
      }
  }

  /// Returns whether a value is null or empty.
  static func isEmpty(_ value: Value) -> Bool { [.null, "", [], [:]].contains(value) }

  /// Sends the marker alone where the record holds other values than it was made with: whether these stay. If a change
  /// has altered others before, this proves nothing.
  func changeAlone(since made: Object) async throws(BackendError) {
    guard let marked, !survey.claims.isProved("update.merges"),
      survey.claims["update.merges"] == nil || othersFate == .stay, let method = survey.claims["update.method"]?.text,
      case .record(let before, _) = try await look()
    else { return }
    // Only fields that hold what was sent: others may change with any write.
    let others = before.members.compactMap { name, value -> String? in
      let isKept = writable.contains(name) || madeWith[name]?.isSame(as: value) == true
      let isUsable =
        name != marked.name && !isNaming(name) && isKept && !Self.isEmpty(value)
      return isUsable && value != made[name] ?? .null ? name : nil
    }
    guard !others.isEmpty, let text = before[marked.name],
      case .answered(let answer) = try await send(method, Object([(marked.name, text)]))
    else { return }
    guard answer.isSuccess else {
      guard answer.judgesValues else { return }
      return survey.claims.add("update.merges", false, .likely, answer.evidence("one field alone is refused"))
    }
    guard case .record(let after, let read) = try await look() else { return }
    let fate = fate(of: others, before, after)
    let evidence = answer.evidence("one field alone; \(read.evidence(fate.text))")
    step("one field alone", evidence)
    let isShown = shows(fate, of: others, before)
    // A record whose other values may be those of a new one is sent whole.
    guard isShown || survey.claims["update.merges"] != nil else { return }
    survey.claims.add("update.merges", .bool(fate == .stay), isShown ? fate.grade : .likely, evidence)
  }
}
