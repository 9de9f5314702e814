import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Synchronization

/// Records on their way to a resource: read, matched with existing ones and planned before the first write.
struct Transfer {
  /// The verb for messages: import, copy, sync or diff.
  let verb: String
  let ports: CommandContext
  let target: Target
  let resource: ResourceDescription
  var store: TransferStore
  let options: TransferOptions
  let jobs: Int
  var fields: TransferFields
  /// True if each record is read again before it is changed or deleted, and left alone if it has changed.
  let isRechecked: Bool
  /// The list whose absent records may exist, with the reason as a clause; nil if both lists are proved to be complete.
  var absenceDoubt: (list: String, reason: String)?
  /// The lists that may have missed records which moved between pages, by side.
  var shifting: [TransferStore.Side: ShiftingList] = [:]
  /// The fields that the target shows only in lists.
  var onlyListed: Set<String>
  /// The fields whose values have different types in lists and single records.
  var conflicts: Set<MergedRecord.Conflict> = []
  /// True if the target has records that its list omits.
  var targetOmitsRecords = false
  /// True if the identifiers of new records are needed for references to them.
  var keepsNames = false
  /// The references whose values are translated to the target.
  var references = TransferReferences()
  /// The number of values that refer to records created by the same run, and the first of them with field and row.
  var waitingValues = 0
  var waitingPlaces: [String] = []
  var bad = BadRows()
  /// The number of rows with a value that does not fit a likely type.
  private var misfits = 0
  /// The fields whose values differ in each run, since they depend on the present time.
  var passing: Set<String> = []
  /// True if the rows of the file are also kept as read.
  var keepsGiven = false
  /// The origin of the records for messages: a file, or a resource of a backend.
  let origin: String
  /// The number of source records that need no write, or are skipped.
  private(set) var unchanged = 0
  private(set) var skipped = 0
  /// The number of empty cells that leave values of target records unchanged.
  var leftAlone = 0
  /// The names of the fields that the rows of a file have.
  var givenNames: Set<String> = []
  /// The unknown fields that are written, in order of appearance.
  private var newFields: [String] = []

  init(
    _ verb: String, from origin: String, to target: Target, _ resource: ResourceDescription, _ options: TransferOptions,
    constants: Object, cells: TableCells? = nil, source: ResourceDescription? = nil, jobs: Int, store: TransferStore,
    _ ports: CommandContext
  ) throws {
    self.verb = verb
    self.origin = origin
    self.ports = ports
    self.target = target
    self.resource = resource
    self.options = options
    self.jobs = jobs
    self.store = store
    onlyListed = Set(resource.capabilities.onlyListedFields)
    isRechecked = try !options.key.isEmpty && options.rechecks(target, resource)
    fields = TransferFields(
      resource, map: options.map, constants: constants, key: options.key, cells: cells, source: source,
      refusesOtherKinds: verb != "diff", acceptsTypes: options.acceptsTypes)
    try fields.checkNamed()
    for name in options.key where resource.field(named: name) == nil && name != fields.identifierField {
      guard resource.isOpen || resource.source == .unknown || resource.source == .sample else {
        throw UsageError(
          "unknown field \"\(name)\" in \(target.description)", name, among: resource.fields.map(\.name),
          else: "--key takes fields of the target")
      }
    }
  }

  func checkInterruption() throws(CommandFailure) {
    if ports.isStopped { throw CommandFailure(.interrupted, "\(verb): interrupted; nothing was changed") }
  }

  func eachRow(
    of side: TransferStore.Side, in store: TransferStore, _ body: (TransferStore.Row) throws -> Void
  ) throws {
    var batches = store.batches(of: side)
    while let rows = try batches.next() {
      try checkInterruption()
      for row in rows { try body(row) }
    }
  }

  // MARK: Converting

  /// Converts the source records for the target, translates references, and finds the keys.
  mutating func convert() async throws {
    try await acceptShownFields()
    var batches = store.batches(of: .source)
    var (unseen, names): (Set<String>, Set<String>) = (options.map.needed, [])
    fields.translated = Set(references.list.map(\.path.field))
    while let rows = try batches.next() {
      try checkInterruption()
      for var row in rows {
        let given = row.fields
        if !unseen.isEmpty {
          unseen = unseen.filter { FieldPath($0).value(in: given) == nil }
          names.formUnion(given.names)
        }
        let isGood = try bad.take(given, ports) { try convert(&row) }
        if isGood { try store.replace(row, of: .source) } else if bad.skips { try store.remove(row, of: .source) }
      }
    }
    try bad.end(ports)
    if misfits > 0, ports.run.settings.isStrict {
      throw UsageError(
        "\(counted(misfits, "row has", "rows have")) a value that does not fit the likely type of its field",
        hint: "--strict is on, so nothing was sent; --accept-types sends them")
    }
    if batches.last > 0 { try checkSources(unseen, among: names) }
    if !fields.files.isEmpty, verb != "diff" {
      ports.note(
        "\(NameList.text(fields.files)) of \(target.description): files are not copied (get --field, then FIELD=@FILE)")
    }
    guard verb != "diff" else { return }
    if !fields.fixed.isEmpty {
      ports.note("left out, as only the server sets them: \(NameList.text(fields.fixed))")
    }
    guard !fields.dropped.isEmpty else { return }
    ports.note(
      "\(target.description) has no field \(NameList.text(fields.dropped)): left out (--map gives it another name)")
  }

  /// Accepts fields of an exported file that are not described if records of the target have them. A file without
  /// identifiers is no export, and its unknown fields are mistakes.
  private mutating func acceptShownFields() async throws {
    let unknown = givenNames.filter { !fields.isExpected($0) }
    guard !unknown.isEmpty, givenNames.contains(fields.identifierField),
      resource.capabilities.operations.contains(.list)
    else { return }
    let shown = Mutex<Set<String>>([])
    let sink = RecordSink { records in
      shown.withLock { $0.formUnion(records.flatMap(\.fields.names)) }
      return .more
    }
    var request = ListRequest(ListQuery(target.path), limit: 100)
    request.isPage = true
    do throws(BackendError) { _ = try await target.client.list(request, to: sink) } catch {
      if error.code == .cancelled { throw error }
      // The fields are then refused as unknown ones.
      return
    }
    let known = unknown.intersection(shown.withLock(\.self)).sorted()
    guard !known.isEmpty else { return }
    fields.shown = Set(known)
    target.client.accept(fields: known, of: resource.name)
    guard verb != "diff", !ports.run.settings.isStrict, ports.writes.newFields != nil else { return }
    ports.writes.newFields?.formUnion(known)
    ports.note("not described, but sent, as records of \(target.description) have it: \(NameList.text(known))")
  }

  mutating func convert(_ row: inout TransferStore.Row) throws {
    let given = row.fields
    do throws(UsageError) {
      row.fields = try fields.converted(given.withoutReason(resource), id: row.id)
    } catch {
      if let name = error.field, resource.field(named: name)?.likely.contains(.type) == true { misfits += 1 }
      let column = fields.column(of: error, in: given).map { ", column \($0)" } ?? ""
      throw UsageError("\(place(of: row))\(column): \(error.message)", hint: error.hint)
    }
    // An identifier in a file may be needed by the service; that of a resource means another record here.
    if fields.source == nil, !fields.isNamed(fields.identifierField) {
      row.id = RecordID(given[fields.identifierField])?.text
    }
    try translate(&row)
    row.key = fields.key(ofWritten: row.fields)
    if !options.key.isEmpty, row.key == nil {
      throw UsageError("\(place(of: row)): the key is missing (\(options.key.joined(separator: ", ")))")
    }
  }

  /// Throws if `--map` reads a field that neither a source record nor the description has.
  private func checkSources(_ unseen: Set<String>, among names: Set<String>) throws(UsageError) {
    let described = Set(fields.source?.fields.map(\.name) ?? [])
    guard let name = unseen.filter({ described.isDisjoint(with: FieldPath($0).holders) }).min() else { return }
    throw UsageError(
      "no record of \(origin) has a field \"\(name)\", which --map reads", name,
      among: names.union(described).sorted(), else: "\(name) ?? null takes null for a missing one")
  }

  func place(of row: TransferStore.Row) -> String { row.place ?? "\(origin)/\(row.id ?? "record \(row.number)")" }

  // MARK: Deciding

  /// The differing fields of a target record with their new values, except values that its server is known to have made
  /// of the same ones before.
  func differences(
    _ row: TransferStore.Row, _ there: TransferStore.Row, _ kept: ServerNormalizedValues? = nil
  ) -> Object {
    Object(
      fields.fitted(row.fields, to: there.fields).members.filter { name, value in
        isCompared(name) && !fields.leavesAlone(name, value) && !resource.isSame(value, there.fields[name], in: name)
          && kept?.isKnown(there.id ?? "", name, sent: value, stored: there.fields[name]) != true
      })
  }

  /// The number of values in a target record that empty cells leave unchanged.
  func valuesLeftAlone(_ row: TransferStore.Row, _ there: TransferStore.Row) -> Int {
    fields.fitted(row.fields, to: there.fields).members.count { name, value in
      isCompared(name) && fields.leavesAlone(name, value) && !resource.isSame(value, there.fields[name], in: name)
    }
  }

  /// Returns whether a field can differ between records with the same key. The key itself cannot, in any spelling.
  private func isCompared(_ name: String) -> Bool {
    name != fields.identifierField && !fields.key.contains(name) && resource.field(named: name)?.isSecret != true
  }

  /// Plans and checks a step for each source record. Sends nothing.
  mutating func decide(_ kept: ServerNormalizedValues?) async throws {
    var batches = store.batches(of: .source)
    ports.reporter.progress?.begin("\(verb) \(target.description): checking")
    ports.reporter.progress?.expect(try store.count(of: .source))
    while let rows = try batches.next() {
      try checkInterruption()
      for row in rows {
        let (store, keepsGiven) = (store, keepsGiven)
        ports.reporter.progress?.advance(1)
        _ = try await bad.take(try (keepsGiven ? store.given(row.number) : nil) ?? row.fields, ports) {
          try await decide(row, kept)
        }
      }
    }
    try bad.end(ports)
    try await WriteChecks(ports).tell(newFields: newFields, of: target)
    if !fields.untyped.isEmpty { ports.warn(TableCells.untyped(fields.untyped, in: target.description)) }
  }

  private mutating func decide(_ row: TransferStore.Row, _ kept: ServerNormalizedValues?) async throws {
    guard let key = row.key, let there = try store.target(key: key) else { return try await add(creation: row) }
    switch options.conflict {
    case .fail:
      throw UsageError(
        "\(place(of: row)): \(target.description)/\(there.id ?? "?") already has the key \(TransferFields.quoted(key))",
        hint: "--on-conflict update changes it, --on-conflict skip leaves it")
    case .skip: skipped += 1
    case .update:
      var changes = differences(row, there, kept)
      fields.noteUntyped(changes, over: there.fields)
      leftAlone += valuesLeftAlone(row, there)
      // A reference to a record that does not exist yet differs from any value.
      for name in try references.waiting(row.number, in: store) { changes[name] = row.fields[name] }
      try await add(changes, of: row, there)
    }
  }

  private mutating func add(creation row: TransferStore.Row) async throws {
    // Fields without a value are left out, so that they get their defaults.
    let fields =
      self.fields.cells != nil ? Object(row.fields.members.filter { $0.1 != .null }) : row.fields
    self.fields.noteUntyped(fields)
    var step = TransferStore.Step(verb: .create, row: row.number, fields: fields, place: place(of: row))
    if let name = self.fields.fixedKey {
      let assigned = name == self.fields.identifierField ? "identifiers" : name
      throw UsageError(
        "\(place(of: row)): \(target.description) has no such record, and its server assigns \(assigned)",
        hint: "choose another --key")
    }
    do { try await check(step) } catch { step = try await named(step, row, unless: error) }
    try checkIdentifier(of: step)
    try store.add(step)
  }

  /// A refused creation completed with the identifier of its row. Throws the error if that is not the only reason.
  private mutating func named(
    _ step: TransferStore.Step, _ row: TransferStore.Row, unless error: any Error
  ) async throws -> TransferStore.Step {
    let name = fields.identifierField
    guard resource.capabilities.takesIdentifiers, step.fields[name] == nil else { throw error }
    let own = fields.source == nil ? row.id : nil
    var named = step
    named.fields[name] = try fields.identifier(.string(own ?? "1"))
    do { try await check(named) } catch { throw error }
    guard own == nil else { return named }
    throw UsageError(
      "\(place(of: row)): a new record of \(target.description) needs its identifier",
      hint: "--key \(name) takes that of each record, --map '\(name)=FIELD' makes one; nothing was sent")
  }

  /// Throws if another new record has the same identifier, as one would replace the other.
  private func checkIdentifier(of step: TransferStore.Step) throws {
    let name = fields.identifierField
    guard !fields.isKeyedByIdentifier, let id = RecordID(step.fields[name]) else { return }
    let places = "\u{0}identifiers"
    if let other = try store.newName(of: id.text, in: places) {
      throw UsageError(
        "\(other) and \(step.place ?? "row \(step.row)") would get the same identifier, \(id)",
        hint: "--key \(name) takes that of each record, --map '\(name)=FIELD' makes one")
    }
    try store.rename(id.text, of: places, to: step.place ?? "row \(step.row)")
  }

  private mutating func add(
    _ changes: Object, of row: TransferStore.Row, _ there: TransferStore.Row
  ) async throws {
    guard !changes.isEmpty, let id = there.id else {
      unchanged += 1
      return
    }
    let step = TransferStore.Step(
      verb: .update, row: row.number, id: id, fields: changes, before: known(there.fields), place: place(of: row))
    try await check(step)
    try store.add(step)
  }

  /// Checks a write. Fields that wait for a record of the same run have placeholders, whose errors are ignored.
  private mutating func check(_ step: TransferStore.Step) async throws {
    do {
      newFields += try await WriteChecks(ports).check(
        write(of: step), of: target, at: step.place, known: step.before, tells: false)
    } catch {
      let waiting = try references.waiting(step.row, in: store)
      guard !waiting.isEmpty else { throw error }
      var rest = step
      for name in waiting { rest.fields[name] = nil }
      guard !rest.fields.isEmpty else { return }
      newFields += try await WriteChecks(ports).check(
        write(of: rest), of: target, at: step.place, known: step.before, tells: false)
    }
  }

  /// The fields of a target record that reading it individually also shows.
  private func known(_ fields: Object) -> Object { Object(fields.members.filter { !onlyListed.contains($0.0) }) }

  /// Plans the deletion of target records whose keys the source lacks.
  mutating func decideDeletions() async throws {
    // The whole records are needed to undo the deletion.
    try await complete(.target, of: target, .partialSuperfluous)
    var batches = store.batches(of: .target, .superfluous)
    while case let isFirst = batches.last == 0, let rows = try batches.next() {
      try checkInterruption()
      for row in rows {
        guard let id = row.id else { continue }
        let step = TransferStore.Step(
          verb: .delete, row: row.number, id: id, fields: Object(), before: known(row.fields))
        // The source may have it.
        if row.key == nil {
          throw UsageError(
            "\(target.description)/\(id): the key is missing (\(options.key.joined(separator: ", ")))",
            hint: "--delete needs the key of every record; without it the others are created and updated")
        }
        if isFirst, row.number == rows[0].number { try await WriteChecks(ports).check(write(of: step), of: target) }
        try store.add(step)
      }
    }
  }

  func write(of step: TransferStore.Step) -> Write {
    step.write(of: target.path, canClear: resource.capabilities.canClear)
  }
}
