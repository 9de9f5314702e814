import BackendClient
import BackendKit
import ConsoleOutput

/// The edits of a screen, which are sent together: changes and deletions of records as they were read, and new records.
struct BrowseEdits {
  struct Edit {
    /// The place of the record as it was read.
    fileprivate var place: Int
    fileprivate(set) var changes: [Change] = []
    fileprivate(set) var isDeletion = false
    /// The reason why it was not made when it was sent.
    fileprivate(set) var obstacle: String?
  }

  struct New {
    fileprivate(set) var fields: Object
    /// The reason why it was not created when it was sent, as far as is known.
    fileprivate(set) var obstacle: String?
    fileprivate(set) var mayExist = false
  }

  /// The maximum number of edited records: `update --where` and `delete --where` change any number.
  static let most = 10_000

  private var edits: [RecordID: Edit] = [:]
  private(set) var new: [New] = []
  private let spool: RecordSpool

  init(in spool: RecordSpool) { self.spool = spool }

  /// The edit of a record; nil if there is none, or the record is new.
  subscript(id: RecordID?) -> Edit? { id.flatMap { edits[$0] } }

  /// The records that are edited, without the new ones.
  var ids: some Sequence<RecordID> { edits.keys }
  var isEmpty: Bool { edits.isEmpty && new.isEmpty }
  var count: Int { edits.count + new.count }

  /// The numbers by verb, for example `2 to update, 1 to delete`.
  var words: String {
    let deletions = edits.values.count(where: \.isDeletion)
    let counts = [("create", new.count), ("update", edits.count - deletions), ("delete", deletions)]
    return counts.filter { $0.1 > 0 }.map { "\($0.1.grouped) to \($0.0)" }.joined(separator: ", ")
  }

  /// The value that a field of a record is to have, nil for none; nil if the field is not changed.
  func value(of field: String, in id: RecordID?) -> Value?? {
    self[id]?.changes.first { $0.field == field }.map(\.value)
  }

  /// The record with the values that it is to have.
  func edited(_ record: Record) -> Record {
    var record = record
    for change in self[record.id]?.changes ?? [] { record.fields[change.field] = change.value }
    return record
  }

  /// The record for people, with each value that it is to have beside the present one.
  func compared(_ record: Record) -> Record {
    var compared = record
    for change in self[record.id]?.changes ?? [] {
      let texts = [record.state(of: .member(change.field)), change.value.map(FieldState.value) ?? .absent].map {
        state in
        if case .value(.string(let text)) = state, !text.isEmpty { text } else { Cell.text(state, kind: nil) }
      }
      let isLong = texts.contains { $0.contains("\n") }
      compared.fields[change.field] = .string(texts.joined(separator: isLong ? "\n→ " : " → "))
    }
    return compared
  }

  private mutating func edit(_ record: Record, _ body: (inout Edit) -> Void) throws(BackendError) {
    guard let id = record.id else { return }
    var edit = edits[id] ?? Edit(place: spool.count)
    if edits[id] == nil { try spool.add([record]) }
    body(&edit)
    edit.obstacle = nil
    edits[id] = edit.changes.isEmpty && !edit.isDeletion ? nil : edit
  }

  /// Changes a field of a record; to the value that it has, the change is taken back.
  mutating func set(_ change: Change, in record: Record) throws(BackendError) {
    try edit(record) { edit in
      edit.changes.removeAll { $0.field == change.field }
      let isNew = record.unloaded.contains(change.field) || record.fields[change.field] != change.value
      if isNew { edit.changes.append(change) }
    }
  }

  mutating func delete(_ isDeletion: Bool, _ record: Record) throws(BackendError) {
    try edit(record) { $0.isDeletion = isDeletion }
  }

  /// Returns whether a record that was read again already has the edited values.
  func isMade(in record: Record) -> Bool {
    guard let edit = self[record.id], !edit.isDeletion else { return false }
    return edit.changes.allSatisfy { change in
      change.value != nil && !record.unloaded.contains(change.field) && record.fields[change.field] == change.value
    }
  }

  mutating func drop(_ id: RecordID) { edits[id] = nil }
  mutating func dropAll() { (edits, new) = ([:], []) }

  mutating func create(_ fields: Object) { new.insert(New(fields: fields), at: 0) }
  mutating func set(_ field: String, _ value: Value, new place: Int) {
    new[place].fields[field] = value
    if !new[place].mayExist { new[place].obstacle = nil }
  }
  mutating func drop(new place: Int) { new.remove(at: place) }

  private static let words = Precondition.Words(
    changed: "the record was changed after it was edited", gone: "the record was deleted after it was edited",
    hint: "look at the service's value, and send the edit again")

  /// The number of new records that may exist already.
  var doubtful: Int { new.count(where: \.mayExist) }

  /// The writes: updates, then new records, then deletions. No record that may exist already is created again.
  func planned(_ path: ResourcePath, _ resource: ResourceDescription) throws(BackendError) -> [PlannedWrite] {
    let isChecked = resource.capabilities.operations.contains(.get)
    var (updates, deletions): ([PlannedWrite], [PlannedWrite]) = ([], [])
    for (id, edit) in edits.sorted(by: { $0.value.place < $1.value.place }) {
      let write =
        edit.isDeletion
        ? Write.delete(path, .one(id), revision: .known) : .update(path, id, edit.changes, revision: .known)
      var planned = PlannedWrite(write, from: WriteOrigin(id), record: try spool.record(at: edit.place))
      if isChecked { planned.condition = .unchanged(Self.words) }
      if edit.isDeletion { deletions.append(planned) } else { updates.append(planned) }
    }
    let created = new.filter { !$0.mayExist }.map { PlannedWrite(.create(path, $0.fields)) }
    return updates + created + deletions
  }

  /// Takes notice that a write was made.
  mutating func made(_ write: Write) {
    if case .create(_, let fields) = write {
      if let place = new.firstIndex(where: { $0.fields == fields && !$0.mayExist }) { new.remove(at: place) }
    } else if let id = write.id {
      drop(id)
    }
  }

  /// Forgets why new records were not made, before they are sent again.
  mutating func beginSending() { for place in new.indices where !new[place].mayExist { new[place].obstacle = nil } }

  /// Keeps a new record that was not made, or perhaps was.
  mutating func keep(new fields: Object, because reason: String, mayExist: Bool) {
    guard let place = new.firstIndex(where: { $0.fields == fields && $0.obstacle == nil }) else { return }
    (new[place].obstacle, new[place].mayExist) = (reason, mayExist)
  }

  /// Keeps an edit that was not made, based on the record as it is now.
  mutating func keep(_ id: RecordID, because reason: String, now record: Record?) throws(BackendError) {
    guard edits[id] != nil else { return }
    if let record {
      edits[id]?.place = spool.count
      try spool.add([record])
    }
    edits[id]?.obstacle = reason
  }
}

extension Change {
  /// The value that the field is to have; nil for none.
  fileprivate var value: Value? { if case .set(_, let value) = self { value } else { nil } }
}
