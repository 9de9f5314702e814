import BackendKit

/// The record of a trial. An identifier in a response is only a claim: until a read has shown in the record what was
/// sent, there is no address to which a change or a deletion could be sent.
struct MadeRecord {
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
