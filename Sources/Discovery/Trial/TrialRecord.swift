import BackendClient
import BackendKit
import ServiceDescription

/// The record of a trial. An identifier in a response is only a claim: until a read has shown in the record what was
/// sent, there is no address to which a change or a deletion could be sent.
struct TrialRecord {
  let id: RecordID
  /// The target at which the record is read.
  let place: ProbeTarget
  /// Its fields as they were read last.
  var fields: Object
  /// The revision of the record, as it was last read.
  var revision: String?
  /// True if a read has shown the data that was sent.
  private(set) var isSighted = false

  init(id: RecordID, place: ProbeTarget, fields: Object) { (self.id, self.place, self.fields) = (id, place, fields) }

  /// Takes down that a read has shown what was sent.
  mutating func sight() { isSighted = true }

  /// The target at which the record is changed and deleted; nil unless a read has shown the data that was sent.
  var target: ProbeTarget? { isSighted ? place : nil }
}

extension WriteTrial {
  /// Sends a change or the deletion of a record. All of them go through here, and nothing is sent unless a read has
  /// shown the marker in the record.
  func write(
    _ method: String, to record: TrialRecord, _ body: [UInt8]? = nil, _ headers: [(String, String)] = []
  ) async throws(BackendError) -> Prober.Outcome {
    guard let target = record.target else { return .unsent("no read has shown the marker in the record") }
    return try await prober.write(method, target, body, headers)
  }

  /// Returns whether a record has the marker in a field that was sent with it. One that has it only in a list of other
  /// records is a different record.
  func isMarked(_ fields: Object) -> Bool {
    let names = Set(sent.names + given.names + more.names + named.names + [marked?.name].compactMap(\.self))
    return fields.members.contains { name, value in names.contains(name) && value.array == nil && marker.isIn(value) }
  }

  /// Returns whether the record that a response named is the new one, or the new one is in the list. If neither has the
  /// marker, the trial of the resource ends and names what it may have left.
  func isFound() async throws(BackendError) -> Bool {
    guard let named = made else { return false }
    let sight = try await look()
    if made?.isSighted == true { return true }
    switch sight {
    case .record(_, let answer): step("read", answer.evidence("another record: the marker is not in it"))
    case .gone(let answer): step("read", answer.evidence("not found right after it was created"))
    case .unclear(let reason): step("read", reason)
    }
    if try await search() != nil {
      step("find", "a record with the marker is in the list")
      if made?.id != named.id { misnamed(.proved, "the response identified a different record from the one created") }
      return true
    }
    made = nil
    if case .gone(let answer) = sight, shown.map(isMarked) == true, creation?.status != 202 {
      // The response showed the record, a read and the list do not: the service does not keep it.
      survey.claims.add(.persistenceKept, "no", .likely, answer.evidence("right after it was created"))
      leftover = nil
      return false
    }
    misnamed(.likely, "no read showed the marker in the record that the response identified")
    if case .record(_, let answer) = sight { doubtWrap(answer) }
    leftover = doubtful(named)
    return false
  }

  /// Takes back that new records are wrapped as they were sent, where a read of the record that the response named
  /// shows nothing of it.
  private func doubtWrap(_ answer: ProbeResponse) {
    guard !form.wrap.isEmpty, form.type == nil, fields.wrap == nil else { return }
    let place = form.wrap.joined(separator: ".")
    survey.claims.contradict(.createWrap, place, answer.evidence("none of what was sent in \(place)"))
    survey.notes.append(
      "\(survey.name): fields that were sent inside \(place) were not stored; the description sends them without \(place)"
    )
  }

  /// Takes back what the response to the creation seemed to show of the record's name.
  private func misnamed(_ grade: SurveyClaim.Grade, _ evidence: String) {
    survey.claims.withdraw([Key.createIdentifierPath, Key.createLocation, Key.createIdentifier])
    survey.claims.replace(.createReturns, "nothing", grade, evidence)
    shown = nil
  }

  /// A record that may have been made and was not seen, as a sentence.
  func doubtful(_ named: TrialRecord) -> String {
    let words = marked.map { name, text in
      let held = named.fields[name].flatMap { marker.isIn($0) ? $0.text : nil }
      return " with \(name)=\(held ?? text)"
    }
    return
      "possibly a record of \(survey.name)\(words ?? ""); the response identified \(Self.sentence(named, survey)), but a read did not show the marker there"
  }

  /// Puts the record aside, for another one to be looked at and deleted.
  func setAside() { aside += [made].compactMap(\.self) }

  /// Goes on with the record that was put aside.
  func bringBack() { (made, isGone, open) = (aside.popLast(), false, nil) }

  /// Names one more record that may stay behind.
  func leave(_ sentence: String) { leftover = [leftover, sentence].compactMap(\.self).joined(separator: "; ") }
}
