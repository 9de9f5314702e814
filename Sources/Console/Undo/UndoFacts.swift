import BackendKit

/// A step of an undo without its request, in the form for programs.
struct UndoFacts: Sendable {
  let number: Int64
  let id: String?
  let isPartial: Bool
  let isSettled: Bool
  private let verb: String
  private let backend: String
  private let resource: String
  private let run: String
  private let restored: [String]
  private let changed: [String]
  private let unknown: [String]
  private let notes: [String]
  private let obstacle: String?

  init(_ step: UndoStep) {
    func names(_ wanted: (UndoStep.Fate) -> Bool) -> [String] { step.fates.filter { wanted($0.fate) }.map(\.field) }
    let entry = step.entry
    (number, id, verb, backend, resource) = (entry.number, entry.id, entry.verb, entry.backend, entry.resource)
    run = entry.run
    restored = names { if case .restored = $0 { true } else { false } }
    changed = names { if case .changed = $0 { true } else { false } }
    unknown = names { if case .unknown = $0 { true } else { false } }
    (notes, obstacle, isPartial, isSettled) = (step.notes, step.obstacle, step.isPartial, step.isSettled)
  }

  func record(isUndone: Bool, id new: String?, _ failure: String?) -> Record {
    func list(_ names: [String]) -> Value? { names.isEmpty ? nil : .array(names.map { .string($0) }) }
    let shown = new.flatMap { $0.isEmpty ? nil : $0 } ?? id
    let fields = Object(facts: [
      ("entry", number), ("action", isUndone ? "undone" : "left"), ("verb", verb), ("backend", backend),
      ("resource", resource), ("id", shown), ("run", run), ("restored", isUndone ? list(restored) : nil),
      ("changed", list(changed)), ("unknown", list(unknown)), ("reason", (failure ?? (isUndone ? nil : obstacle))),
      ("remarks", list(notes)),
    ])
    return Record(id: RecordID(String(number)), fields: fields)
  }
}
