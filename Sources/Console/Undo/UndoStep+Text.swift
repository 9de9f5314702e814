import BackendClient
import BackendKit

extension UndoStep {
  /// The entry that is taken back, and the fields that do not just get their values from before: lines below the write, for people.
  var remarks: [String] {
    var lines = ["\(entry.number)  \(JournalTime.shown(entry.began))  \(entry.deed)  (\(entry.command))"]
    if let obstacle { lines.append("cannot be undone: \(obstacle)") }
    for (field, fate) in fates {
      if case .restored = fate { continue }
      lines.append("\(field): \(fate.words)")
    }
    return lines + notes
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
    case .restored(_, let old): shown(old)
    case .unchanged: "has its value from before already"
    case .changed(let left, let now): "changed since: the write left \(shown(left)), it is \(shown(now)) now"
    case .unknown(let reason): "not known: \(reason)"
    case .readOnly: "only the server sets it"
    }
  }
}
