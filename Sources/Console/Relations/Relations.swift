import BackendClient
import BackendKit
import Synchronization

/// The members that `--with` adds to records: for each name, the record that a field refers to.
struct Relations: Sendable {
  struct Member: Sendable {
    let name: String
    let relation: Relation
    let records: RelatedRecords
  }

  /// The number of references to missing records that are reported individually.
  private static let mostReported = 10
  /// The number of records completed at a time: only what these refer to is in memory.
  static let batch = 100

  let members: [Member]
  private let target: String
  private let missing = Missing()

  init(_ members: [Member], of target: String) {
    self.members = members
    self.target = target
  }

  /// The member for a name of `--with`. Fields of services begin with letters, and one of this name is never replaced.
  static func memberName(_ name: String) -> String { "@" + name.replacing(text: ".", with: "_") }

  /// The fields to request so that these can be shown; nil for all.
  func needed(_ shown: [FieldPath]?) -> [FieldPath]? {
    guard let shown else { return nil }
    let own = shown.filter { path in !members.contains { $0.name == path.text || $0.name == path.field } }
    return own + members.map(\.relation.path).filter { !own.contains($0) }
  }

  /// The columns for the requested ones: additions come last unless they are named.
  func columns(_ shown: [FieldPath]?) -> [FieldPath]? {
    shown.map { shown in
      shown
        + members.filter { member in !shown.contains { $0.text == member.name || $0.field == member.name } }
        .map { FieldPath($0.name) }
    }
  }

  /// Discards the related records, so that they are read again.
  func forget() async {
    for member in members { await member.records.forget() }
  }

  /// Returns the records with their related records.
  func added(to records: [Record]) async throws(BackendError) -> [Record] {
    var records = records
    for member in members {
      let names = records.map { member.relation.names(in: $0) }
      let found = try await find(names, of: records, member)
      for (place, names) in names.enumerated() {
        guard records[place].fields[member.name] == nil else { throw taken(member, records[place]) }
        let isList = member.relation.namesSeveral(records[place])
        guard isList || !names.isEmpty else { continue }
        let values = names.map { name in name.flatMap { found[$0] ?? nil }.map { Value.object($0.fields) } ?? .null }
        for (name, value) in zip(names, values) where value == .null { tell(name, member, records[place]) }
        records[place].fields[member.name] = isList ? .array(values) : values[0]
      }
    }
    return records
  }

  private func find(
    _ names: [[RecordID?]], of records: [Record], _ member: Member
  ) async throws(BackendError) -> [RecordID: Record?] {
    do throws(BackendError) { return try await member.records.find(names.joined().compactMap(\.self)) } catch {
      var error = error
      // A list requests several at once: the first record that refers to one of them is the origin.
      let place = names.firstIndex { names in
        names.contains { name in error.id.map { $0 == name?.text } ?? (name != nil) }
      }
      let name = place.flatMap { names[$0].lazy.compactMap(\.self).first }
      let field = place.map { "\(member.relation.path) of \(description(of: records[$0]))" }
      let named = error.id == nil ? name.map { " (\($0.text))" } ?? "" : ""
      error.message = "\(field ?? "\(member.relation.path)")\(named): \(error.message)"
      throw error
    }
  }

  private func taken(_ member: Member, _ record: Record) -> BackendError {
    let short = member.relation.shortName
    let other = member.name == Self.memberName(short) ? member.relation.path.text : short
    return BackendError(
      .unsupported, "\(description(of: record)) already has a field \(member.name)", effect: .rejected,
      hint: other == member.name.dropFirst() ? "leave out this --with" : "use --with \(other) to give it another name")
  }

  private func description(of record: Record) -> String { record.id.map { "\(target)/\($0.text)" } ?? target }

  // MARK: What is not there

  private final class Missing: Sendable {
    let state = Mutex((reported: [String](), count: 0))
  }

  private func tell(_ name: RecordID?, _ member: Member, _ record: Record) {
    missing.state.withLock { state in
      state.count += 1
      guard state.reported.count < Self.mostReported else { return }
      let value =
        name?.text ?? member.relation.path.value(in: record.fields).map { JSONWriter.compact($0) } ?? "its value"
      state.reported.append(
        "\(description(of: record)): \(member.relation.path) \(value) does not identify a record of \(member.relation.reference.resource)"
      )
    }
  }

  /// Sentences about references to missing records; each is returned once.
  func takeNotes() -> [String] {
    missing.state.withLock { state in
      defer { state = ([], 0) }
      let rest = state.count - state.reported.count
      return state.reported
        + (rest > 0 ? [counted(rest, "more reference does", "more references do") + " not name a record"] : [])
    }
  }
}
