import BackendKit

extension TrialRecord {
  /// Takes a record in a response or a row as that of the trial, until a read proves or refutes it.
  func take(_ id: RecordID, _ identifier: IdentifierProbe.Found, _ fields: Object) {
    made = MadeRecord(id: id, place: identifier.target(id), fields: fields, mark: sought)
    (isGone, unread, open) = (false, nil, nil)
  }

  /// Sends an update or deletion. All pass here, and none is sent before a read has shown the marker.
  func write(
    _ method: String, to record: MadeRecord, _ body: [UInt8]? = nil, _ headers: [(String, String)] = []
  ) async throws(BackendError) -> Prober.Outcome {
    guard let target = record.target else { return .unsent("no read has shown the marker in the record") }
    return try await prober.write(method, target, body, headers)
  }

  /// Sets the record aside while another one is examined and deleted.
  func setAside() { aside += [made].compactMap(\.self) }

  /// Returns to the record that was set aside.
  func bringBack() { (made, isGone, open) = (aside.popLast(), false, nil) }

  /// A sentence about a record that may have been created but was not seen.
  func doubtful(_ named: MadeRecord) -> String {
    let words = named.mark.map { name, text in
      let held = named.fields[name].flatMap { marker.isIn($0) ? $0.text : nil }
      return " with \(name)=\(held ?? text)"
    }
    return
      "possibly a record of \(survey.name)\(words ?? ""); the response identified \(sentence(named)), but a read did not show the marker there"
  }

  func leave(_ sentence: String) { leftover = [leftover, sentence].compactMap(\.self).joined(separator: "; ") }

  func sentence(_ made: MadeRecord) -> String { "\(survey.name)/\(made.id)" }
}
