import BackendKit

/// The records that are there, and what may stay behind.
extension TrialRecord {
  /// Takes what a response or a row names for the record of the trial; only a read makes it that.
  func take(_ id: RecordID, _ identifier: IdentifierProbe.Found, _ fields: Object) {
    made = MadeRecord(id: id, place: identifier.target(id), fields: fields)
    (isGone, unread, open) = (false, nil, nil)
  }

  /// Sends a change or the deletion of a record. All of them go through here, and nothing is sent unless a read has
  /// shown the marker in the record.
  func write(
    _ method: String, to record: MadeRecord, _ body: [UInt8]? = nil, _ headers: [(String, String)] = []
  ) async throws(BackendError) -> Prober.Outcome {
    guard let target = record.target else { return .unsent("no read has shown the marker in the record") }
    return try await prober.write(method, target, body, headers)
  }

  /// Puts the record aside, for another one to be looked at and deleted.
  func setAside() { aside += [made].compactMap(\.self) }

  /// Goes on with the record that was put aside.
  func bringBack() { (made, isGone, open) = (aside.popLast(), false, nil) }

  /// A record that may have been made and was not seen, as a sentence.
  func doubtful(_ named: MadeRecord) -> String {
    let words = marked.map { name, text in
      let held = named.fields[name].flatMap { marker.isIn($0) ? $0.text : nil }
      return " with \(name)=\(held ?? text)"
    }
    return
      "possibly a record of \(survey.name)\(words ?? ""); the response identified \(sentence(named)), but a read did not show the marker there"
  }

  /// Names one more record that may stay behind.
  func leave(_ sentence: String) { leftover = [leftover, sentence].compactMap(\.self).joined(separator: "; ") }

  func sentence(_ made: MadeRecord) -> String { "\(survey.name)/\(made.id)" }
}
