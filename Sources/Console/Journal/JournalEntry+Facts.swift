import BackendKit
import CommandLanguage
import ConsoleOutput

extension JournalEntry {
  /// The names of its members in display order.
  static let members = [
    "number", "time", "outcome", "verb", "backend", "resource", "id", "fields", "name", "code", "message", "settled",
    "job", "undoes", "user", "origin", "prefix", "command", "run", "ended", "sent", "before", "after",
  ]

  static let columns = ["number", "time", "outcome", "verb", "backend", "resource", "id", "fields"]

  var facts: Object {
    Object(facts: [
      ("number", number), ("time", ClockTime.text(of: began)),
      ("outcome", isBeingSent ? "sending" : isDismissed ? "dismissed" : outcome.rawValue), ("verb", verb),
      ("backend", backend), ("resource", resource), ("id", id), ("fields", sent?.sentNames.joined(separator: ", ")),
      ("name", name), ("code", code), ("message", message), ("settled", settled), ("job", job),
      ("undoes", undoes.map { Int($0) }), ("user", place.user), ("origin", place.origin),
      ("prefix", place.prefix.isEmpty ? nil : place.prefix), ("command", command), ("run", run),
      ("ended", ended.map { ClockTime.text(of: $0) }), ("sent", sent?.shown), ("before", before?.shown),
      ("after", after?.shown),
    ])
  }

  var record: Record { Record(id: RecordID(String(number)), fields: facts) }

  static let condition = WordKind.oneOf(
    (Outcome.allCases.map(\.rawValue) + ["sending", "dismissed"]).map { "outcome=\($0)" }
      + ["create", "update", "delete", "call", "request"].map { "verb=\($0)" }
      + ["backend=", "resource=", "id=", "run="], as: "PREDICATE")
  static let place = WordKind.count(from: 1, to: .max)

  /// A hash of the record. On a collision of records with the same number, one is only mistaken for a repetition of the
  /// other.
  var recordKey: Int {
    var hasher = Hasher()
    hasher.combine(backend)
    hasher.combine(resource)
    hasher.combine(id)
    return hasher.finalize()
  }
}
