import ConsoleSetup
import ConsoleSystem
import Files

extension SQLiteFile {
  /// Writes entries and outcomes in one transaction; returns the entry number of each step.
  mutating func carryOut(_ steps: [Journal.Step]) throws(FileFailure) -> [Int64] {
    if let only = steps.first, steps.count == 1 { return [try carryOut(only)] }
    return try together { database throws(FileFailure) in
      var numbers: [Int64] = []
      for step in steps { numbers.append(try database.carryOut(step)) }
      return numbers
    }
  }

  private mutating func carryOut(_ step: Journal.Step) throws(FileFailure) -> Int64 {
    switch step {
    case .begin(let entry):
      try run(Self.insertion, entry.values)
      return lastNumber
    case .complete(let number, let completion):
      try run(Self.completion, completion.values + [.number(number)])
      return number
    case .settle(let number, let completion):
      try run(Self.settlement, completion.values + [SQLValue(completion.settled), .number(number)])
      return number
    case .accept(let number, let job):
      try run("UPDATE entry SET job = ? WHERE number = ?", [SQLValue(job), .number(number)])
      return number
    }
  }

  private static let insertion =
    "INSERT INTO entry (\(JournalSchema.columns.joined(separator: ", "))) VALUES ("
    + JournalSchema.columns.map { _ in "?" }.joined(separator: ", ") + ")"
  private static let completed =
    "UPDATE entry SET ended = ?, outcome = ?, code = ?, message = ?, id = coalesce(?, id), after = coalesce(?, after), job = coalesce(?, job)"
  private static let completion = completed + " WHERE number = ?"
  // Another console may have settled it meanwhile.
  private static let settlement = completed + ", settled = ? WHERE number = ? AND outcome = 'unknown'"

  // MARK: Reading

  private static let selection = "SELECT number, \(JournalSchema.columns.joined(separator: ", ")) FROM entry"

  /// Entries with numbers below `before`, newest first, optionally only those of a run.
  mutating func entries(before: Int64, run: String? = nil, limit: Int) throws(FileFailure) -> [JournalEntry] {
    try rows(
      Self.selection + " WHERE number < ? AND run = coalesce(?, run) ORDER BY number DESC LIMIT ?",
      [.number(before), SQLValue(run), .number(Int64(limit))], JournalEntry.init(row:))
  }

  mutating func entry(_ number: Int64) throws(FileFailure) -> JournalEntry? {
    try rows(Self.selection + " WHERE number = ?", [.number(number)], JournalEntry.init(row:)).first
  }

  /// Entries of the same command with numbers below `before`, newest first.
  mutating func command(
    of entry: JournalEntry, before: Int64, limit: Int
  ) throws(FileFailure) -> [JournalEntry] {
    try rows(
      Self.selection + " WHERE number < ? AND process = ? AND run = ? AND step IS ? AND command = ?"
        + " ORDER BY number DESC LIMIT ?",
      [
        .number(before), .text(entry.process), .text(entry.run), SQLValue(entry.step), .text(entry.command),
        .number(Int64(limit)),
      ], JournalEntry.init(row:))
  }

  /// The entries with unknown outcomes, oldest first, including those being sent; optionally also dismissed ones.
  mutating func unknown(dismissed: Bool = false) throws(FileFailure) -> [JournalEntry] {
    let open = dismissed ? "" : " AND settled IS NULL"
    return try rows(
      Self.selection + " WHERE outcome = 'unknown'\(open) ORDER BY number", [], JournalEntry.init(row:))
  }

  /// The part of an entry that shows which records it left.
  struct End: Sendable {
    var number: Int64
    var verb: String
    var id: String?
    var sent: String?
  }

  /// The completed creations and deletions of a resource after an entry, oldest first, optionally only those of a run.
  mutating func ends(
    of resource: String, at place: JournalPlace, run: String?, after number: Int64, limit: Int
  ) throws(FileFailure) -> [End] {
    try rows(
      """
      SELECT number, verb, id, sent FROM entry WHERE number > ? AND origin = ? AND prefix = ? AND resource = ?
      AND run = coalesce(?, run) AND outcome = 'done' AND verb IN ('create', 'delete', 'delete all')
      ORDER BY number LIMIT ?
      """,
      [
        .number(number), .text(place.origin), .text(place.prefix), .text(resource), SQLValue(run),
        .number(Int64(limit)),
      ]
    ) { End(number: $0.number(0) ?? 0, verb: $0.text(1) ?? "", id: $0.text(2), sent: $0.text(3)) }
  }

  /// The next creation of the record of an entry, or the next deletion that read the record before; nil if there is
  /// none. Only those count that were carried out, or may have been.
  mutating func next(after entry: JournalEntry) throws(FileFailure) -> JournalEntry? {
    try rows(
      Self.selection + """
         WHERE number > ? AND origin = ? AND prefix = ? AND resource = ? AND id = ?
        AND verb IN ('create', 'delete') AND (verb = 'create' OR before IS NOT NULL)
        AND outcome IN ('done', 'unknown') ORDER BY number LIMIT 1
        """,
      [
        .number(entry.number), .text(entry.place.origin), .text(entry.place.prefix), .text(entry.resource),
        SQLValue(entry.id),
      ], JournalEntry.init(row:)
    ).first
  }

  /// The entries that were undone; if only perhaps, with the entry that may have done it. Excludes those whose undoing
  /// the server did not keep. An unknown outcome counts as undone once dismissed.
  mutating func undone() throws(FileFailure) -> [Int64: Int64?] {
    let found = try rows(
      """
      SELECT undoes, CASE WHEN outcome = 'unknown' AND settled IS NULL THEN number END FROM entry
      WHERE undoes IS NOT NULL AND \(Self.counting)
      """
    ) { (undone: $0.number(0) ?? 0, doubt: $0.number(1)) }
    return Dictionary(found.map { ($0.undone, $0.doubt) }) { first, second in
      if let first, second != nil { first } else { nil }
    }
  }

  /// The entry that undid another one, or may have, before a number; nil if there is none.
  mutating func undo(of undone: Int64, before number: Int64) throws(FileFailure) -> Int64? {
    try rows(
      "SELECT number FROM entry WHERE undoes = ? AND number < ? AND \(Self.counting) LIMIT 1",
      [.number(undone), .number(number)]
    ) { $0.number(0) ?? 0 }.first
  }

  private static let counting = "outcome IN ('done', 'unknown') AND code IS NOT 'notKept'"

  // MARK: Retention

  /// The number of newest entries that are kept regardless of size, since they may be undone.
  private static let newest: Int64 = 100

  /// Deletes expired entries, and the oldest if the file is too large; never an unknown outcome unless it was
  /// dismissed.
  mutating func forget(_ keep: JournalKeep) throws(FileFailure) {
    let oldest = JournalClock.now() - Int64(keep.days) * 86_400_000
    let known = "(outcome <> 'unknown' OR settled IS NOT NULL)"
    if let began = try number("SELECT began FROM entry WHERE \(known) ORDER BY number LIMIT 1"), began < oldest {
      try run("DELETE FROM entry WHERE began < ? AND \(known)", [.number(oldest)])
      try run("PRAGMA incremental_vacuum")
    }
    let limit = Int64(keep.megabytes) << 20
    for _ in 0..<40 {
      let pages = try number("PRAGMA page_count") ?? 0
      let size = try number("PRAGMA page_size") ?? 0
      guard pages * size > limit else { return }
      let count = try number("SELECT count(*) FROM entry WHERE \(known)") ?? 0
      guard count > Self.newest else { return }
      try run(
        "DELETE FROM entry WHERE number IN (SELECT number FROM entry WHERE \(known) ORDER BY number LIMIT ?)",
        [.number(min(count - Self.newest, max(1, count / 10)))])
      try run("PRAGMA incremental_vacuum")
    }
  }
}

extension JournalEntry {
  fileprivate var values: [SQLValue] {
    [
      .number(began), SQLValue(ended), .text(run), .text(process), .text(command), .text(place.origin),
      .text(place.prefix), SQLValue(place.user), .text(backend), .text(resource), SQLValue(id), .text(verb),
      SQLValue(name), SQLValue(sent?.text), SQLValue(before?.text), SQLValue(after?.text),
      .text(outcome.rawValue), SQLValue(code), SQLValue(message), SQLValue(undoes), SQLValue(settled), SQLValue(step),
      SQLValue(job),
    ]
  }

  fileprivate init(row: SQLRow) {
    func text(_ column: Int32) -> String { row.text(column) ?? "" }
    func image(_ column: Int32) -> JournalImage? { row.text(column).flatMap { JournalImage(text: $0) } }
    self.init(
      number: row.number(0) ?? 0, began: row.number(1) ?? 0, ended: row.number(2), run: text(3), process: text(4),
      command: text(5), place: JournalPlace(origin: text(6), prefix: text(7), user: row.text(8)), backend: text(9),
      resource: text(10), id: row.text(11), verb: text(12), name: row.text(13), sent: image(14), before: image(15),
      after: image(16), outcome: Outcome(rawValue: text(17)) ?? .unknown, code: row.text(18), message: row.text(19),
      undoes: row.number(20), settled: row.text(21), step: row.number(22), job: row.text(23))
  }
}

extension JournalCompletion {
  fileprivate var values: [SQLValue] {
    [
      .number(ended), .text(outcome.rawValue), SQLValue(code), SQLValue(message), SQLValue(id),
      SQLValue(after?.text), SQLValue(job),
    ]
  }
}
