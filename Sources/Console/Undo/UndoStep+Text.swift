import BackendClient
import BackendKit

extension UndoStep {
  /// The step as people read it before they agree to it.
  var text: ShownText {
    let time = JournalTime.shown(entry.began)
    var text: ShownText = "\(String(entry.number))  \(time)  \(entry.deed)  (\(entry.command))\n"
    if let obstacle { text += "    cannot be undone: \(obstacle)\n" }
    switch write {
    case .delete?: text += "    the record is deleted\n"
    case .create?: text += "    the record is created again\n"
    case .update?, .act?, nil: break
    }
    for (field, fate) in fates { text += "    \(field): \(fate.words)\n" }
    for note in notes { text += "    \(note)\n" }
    return text
  }

  /// What became of the step, as programs read it.
  func record(_ receipt: WriteReceipt?, _ failure: String?) -> Record {
    func fields(_ wanted: (Fate) -> Bool) -> Value? {
      let names = fates.filter { wanted($0.fate) }.map { Value.string($0.field) }
      return names.isEmpty ? nil : .array(names)
    }
    let restored = fields { if case .restored = $0 { true } else { false } }
    let fields = Object(present: [
      ("entry", .int(Int(entry.number))), ("action", .string(receipt == nil ? "left" : "undone")),
      ("verb", .string(entry.verb)), ("backend", .string(entry.backend)), ("resource", .string(entry.resource)),
      ("id", (receipt?.id?.text ?? entry.id).map { .string($0) }), ("restored", receipt == nil ? nil : restored),
      ("changed", fields { if case .changed = $0 { true } else { false } }),
      ("unknown", fields { if case .unknown = $0 { true } else { false } }),
      ("reason", failure.map { .string($0) }),
      ("remarks", notes.isEmpty ? nil : .array(notes.map { .string($0) })),
    ])
    return Record(id: RecordID(String(entry.number)), fields: fields)
  }
}

extension UndoStep.Fate {
  fileprivate var words: String {
    func shown(_ value: Value?) -> String {
      value.map { BackendError.quoted(JSONWriter.compact($0)) ?? "" } ?? "no value"
    }
    return switch self {
    case .restored(nil, let old): shown(old)
    case .restored(let now, let old): "\(shown(now)) → \(shown(old))"
    case .unchanged: "has its value from before already"
    case .changed(let left, let now): "changed since: the write left \(shown(left)), it is \(shown(now)) now"
    case .unknown(let reason): "not known: \(reason)"
    case .readOnly: "only the server sets it"
    }
  }
}
