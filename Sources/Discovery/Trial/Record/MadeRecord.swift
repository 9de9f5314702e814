import BackendKit

/// The record of a trial. An identifier in a response is only a claim: updates and deletions have no target until a
/// read has shown the marker in the record.
struct MadeRecord {
  let id: RecordID
  /// The target for reads.
  let place: ProbeTarget
  var fields: Object
  var revision: String?
  /// The field and text by which to recognize it, as they were sent.
  var mark: (name: String, text: String)?
  /// True if a read has shown what was sent.
  private(set) var isSighted = false

  init(id: RecordID, place: ProbeTarget, fields: Object, mark: (name: String, text: String)?) {
    (self.id, self.place, self.fields, self.mark) = (id, place, fields, mark)
  }

  mutating func sight() { isSighted = true }

  /// The target for updates and the deletion; nil unless a read has shown what was sent.
  var target: ProbeTarget? { isSighted ? place : nil }
}
