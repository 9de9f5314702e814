import BackendKit
import ConsoleSystem
import Files
import Glibc
import Synchronization

/// The records of a transfer while it is planned and run: on disk, so that memory does not grow with their number.
///
/// The file is in the user's state folder, private, and unlinked once open, so that it vanishes with the process.
final class TransferStore: Sendable {
  enum Side: String, Sendable {
    case source, target
  }

  struct Row: Sendable {
    /// The place in its list, from 1.
    var number: Int64 = 0
    /// The place in a file; nil for a record of a backend.
    var place: String?
    var id: String?
    /// The values of the key fields as one text.
    var key: String?
    var fields: Object
    /// True if some fields were not loaded.
    var isPartial = false
    /// True if the present fields are also kept through a conversion.
    var isKept = false
  }

  struct Step: Sendable {
    enum Verb: String, Sendable {
      case create, update, delete
    }

    var number: Int64 = 0
    var verb: Verb
    /// The row that it is based on: of the source, or of the target for a deletion.
    var row: Int64
    var id: String?
    /// The values to set; for a deletion the previous record.
    var fields: Object
    /// The previous record as far as known.
    var before: Object?
    var place: String?
  }

  enum Choice: String, Sendable {
    case all = "true"
    /// Rows with fields that were not loaded.
    case partial = "partial = 1"
    /// Of these, rows without a key.
    case partialWithoutKey = "partial = 1 AND key IS NULL"
    /// Of these, target rows with the key of a source row.
    case partialMatched = "partial = 1 AND EXISTS (SELECT 1 FROM source WHERE source.key = this.key)"
    /// Target rows whose key no source row has.
    case superfluous = "NOT EXISTS (SELECT 1 FROM source WHERE source.key = this.key)"
    /// Source rows whose key no target row has.
    case unmatched = "NOT EXISTS (SELECT 1 FROM target WHERE target.key = this.key)"
    case partialSuperfluous = "partial = 1 AND NOT EXISTS (SELECT 1 FROM source WHERE source.key = this.key)"
  }

  private let file: Mutex<SQLiteFile>

  init(state: String?) throws(CommandFailure) {
    do throws(FileFailure) { file = Mutex(try Self.open(state)) } catch {
      throw CommandFailure(
        .configuration, "the records of a transfer cannot be stored: \(error.reason); nothing was sent")
    }
  }

  private static func open(_ state: String?) throws(FileFailure) -> SQLiteFile {
    let (path, descriptor) = try SpillFile.make(state: state, folder: "transfers")
    close(descriptor)
    defer { unlink(path) }
    let database = try SQLiteFile(path: Path.real(path))
    // The file does not outlive the process, so durability does not matter.
    try database.run(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8000;
      PRAGMA temp_store = MEMORY;
      """)
    for side in ["source", "target"] {
      try database.run(
        "CREATE TABLE \(side) (number INTEGER PRIMARY KEY, place TEXT, id TEXT, key TEXT, fields TEXT, partial INTEGER, given TEXT)"
      )
      try database.run("CREATE INDEX \(side)_key ON \(side) (key)")
      try database.run("CREATE INDEX \(side)_id ON \(side) (id)")
    }
    try database.run(
      """
      CREATE TABLE step (number INTEGER PRIMARY KEY, verb TEXT, row INTEGER, id TEXT, fields TEXT, before TEXT, place TEXT);
      CREATE TABLE renamed (resource TEXT, old TEXT, new TEXT, PRIMARY KEY (resource, old)) WITHOUT ROWID;
      BEGIN
      """)
    return database
  }

  private func use<Success: Sendable>(
    _ body: @Sendable (inout SQLiteFile) throws(FileFailure) -> Success
  ) throws(CommandFailure) -> Success {
    do throws(FileFailure) { return try file.withLock { file throws(FileFailure) in try body(&file) } } catch {
      throw CommandFailure(.failure, "the records of the transfer cannot be stored: \(error.reason)")
    }
  }

  private func run(_ sql: String, _ values: [SQLValue]) throws(CommandFailure) {
    try use { file throws(FileFailure) in try file.run(sql, values) }
  }

  private func first<Found: Sendable>(
    _ sql: String, _ values: [SQLValue], _ read: @escaping @Sendable (SQLRow) -> Found
  ) throws(CommandFailure) -> Found? {
    try use { file throws(FileFailure) in try file.rows(sql, values, read).first }
  }

  // MARK: Rows

  func add(_ rows: [Row], to side: Side) throws(CommandFailure) {
    try use { file throws(FileFailure) in
      for row in rows {
        try file.run(
          "INSERT INTO \(side.rawValue) (place, id, key, fields, partial, given) VALUES (?, ?, ?, ?, ?, ?)",
          [
            SQLValue(row.place), SQLValue(row.id), SQLValue(row.key), .text(Self.text(row.fields)),
            .number(row.isPartial ? 1 : 0), row.isKept ? .text(Self.text(row.fields)) : SQLValue(nil as String?),
          ])
      }
    }
  }

  /// Returns the rows whose identifiers a side lacks.
  func lacking(_ rows: [Row], of side: Side) throws(CommandFailure) -> [Row] {
    try use { file throws(FileFailure) in
      var lacking: [Row] = []
      for row in rows {
        let sql = "SELECT number FROM \(side.rawValue) WHERE id = ? LIMIT 1"
        if try file.number(sql, [SQLValue(row.id)]) == nil { lacking.append(row) }
      }
      return lacking
    }
  }

  func replace(_ row: Row, of side: Side) throws(CommandFailure) {
    try run(
      "UPDATE \(side.rawValue) SET id = ?, key = ?, fields = ?, partial = ? WHERE number = ?",
      [
        SQLValue(row.id), SQLValue(row.key), .text(Self.text(row.fields)), .number(row.isPartial ? 1 : 0),
        .number(row.number),
      ])
  }

  func remove(_ row: Row, of side: Side) throws(CommandFailure) {
    try run("DELETE FROM \(side.rawValue) WHERE number = ?", [.number(row.number)])
  }

  /// The fields of a source row as read, if they were kept.
  func given(_ number: Int64) throws(CommandFailure) -> Object? {
    try first("SELECT given FROM source WHERE number = ? AND given IS NOT NULL", [.number(number)]) {
      Self.object($0.text(0))
    }
  }

  func count(of side: Side, _ choice: Choice = .all) throws(CommandFailure) -> Int {
    try use { file throws(FileFailure) in
      Int(try file.number("SELECT count(*) FROM \(side.rawValue) AS this WHERE \(choice.rawValue)") ?? 0)
    }
  }

  /// A batch of rows after a number.
  func rows(of side: Side, after number: Int64, _ choice: Choice = .all) throws(CommandFailure) -> [Row] {
    try use { file throws(FileFailure) in
      try file.rows(
        """
        SELECT \(Self.columns) FROM \(side.rawValue) AS this
        WHERE number > ? AND \(choice.rawValue) ORDER BY number LIMIT \(Self.batch)
        """, [.number(number)], Self.row)
    }
  }

  struct Batches {
    let store: TransferStore
    let side: Side
    let choice: Choice
    private(set) var last: Int64 = 0

    mutating func next() throws(CommandFailure) -> [Row]? {
      let rows = try store.rows(of: side, after: last, choice)
      last = rows.last?.number ?? last
      return rows.isEmpty ? nil : rows
    }
  }

  /// The rows of a side, which may be replaced during iteration.
  func batches(of side: Side, _ choice: Choice = .all) -> Batches { Batches(store: self, side: side, choice: choice) }

  /// A digest of the fields of all rows in order.
  func digest(of side: Side) throws(CommandFailure) -> String {
    var (digest, last) = ("", Int64(0))
    while true {
      let rows = try use { [last] file throws(FileFailure) in
        try file.rows(
          "SELECT number, fields FROM \(side.rawValue) WHERE number > ? ORDER BY number LIMIT \(Self.batch)",
          [.number(last)]
        ) { row in (number: row.number(0) ?? 0, text: row.text(1) ?? "") }
      }
      guard let end = rows.last else { return digest }
      last = end.number
      digest = SHA256.hex(Array(([digest] + rows.map { $0.text }).joined(separator: "\n").utf8))
    }
  }

  func target(key: String) throws(CommandFailure) -> Row? {
    try first("SELECT \(Self.columns) FROM target WHERE key = ? LIMIT 1", [.text(key)], Self.row)
  }

  /// Two rows of a side with the same key; nil if there are none.
  func repeated(in side: Side) throws(CommandFailure) -> [Row]? {
    try use { file throws(FileFailure) in
      guard
        let key = try file.rows(
          "SELECT key FROM \(side.rawValue) WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1 LIMIT 1", [],
          { $0.text(0) }
        ).first
      else { return nil }
      return try file.rows(
        "SELECT \(Self.columns) FROM \(side.rawValue) WHERE key = ? LIMIT 2", [SQLValue(key)], Self.row)
    }
  }

  // MARK: Steps

  func add(_ step: Step) throws(CommandFailure) {
    try run(
      "INSERT INTO step (verb, row, id, fields, before, place) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(step.verb.rawValue), .number(step.row), SQLValue(step.id), .text(Self.text(step.fields)),
        SQLValue(step.before.map(Self.text)), SQLValue(step.place),
      ])
  }

  /// The number of steps, optionally of a verb.
  func count(of verb: Step.Verb?) throws(CommandFailure) -> Int {
    try use { file throws(FileFailure) in
      Int(
        try file.number(
          "SELECT count(*) FROM step WHERE verb = coalesce(?, verb)", [SQLValue(verb?.rawValue)]) ?? 0)
    }
  }

  func step(_ number: Int) throws(CommandFailure) -> Step {
    let found = try first(
      "SELECT number, verb, row, id, fields, before, place FROM step WHERE number = ?", [.number(Int64(number))]
    ) { row in
      Step(
        number: row.number(0) ?? 0, verb: row.text(1).flatMap(Step.Verb.init) ?? .update, row: row.number(2) ?? 0,
        id: row.text(3), fields: Self.object(row.text(4)), before: row.text(5).map(Self.object), place: row.text(6))
    }
    guard let found else { throw CommandFailure(.failure, "step \(number) of the plan is gone") }
    return found
  }

  func finish(_ step: Step) throws(CommandFailure) {
    try run("DELETE FROM step WHERE number = ?", [.number(step.number)])
  }

  /// Numbers the remaining steps from 1.
  func renumber() throws(CommandFailure) {
    try use { file throws(FileFailure) in
      try file.run(
        """
        CREATE TABLE rest AS SELECT verb, row, id, fields, before, place FROM step ORDER BY number;
        DELETE FROM step;
        INSERT INTO step (verb, row, id, fields, before, place) SELECT * FROM rest ORDER BY rowid;
        DROP TABLE rest;
        """)
    }
  }

  // MARK: New identifiers

  /// The identifier in the source of a step's record.
  func oldName(ofRow row: Int64) throws(CommandFailure) -> String? {
    try first("SELECT id FROM source WHERE number = ?", [.number(row)]) { $0.text(0) } ?? nil
  }

  /// Stores the identifier of a record in the target.
  func rename(_ old: String, of resource: String, to new: String) throws(CommandFailure) {
    try run("INSERT OR REPLACE INTO renamed VALUES (?, ?, ?)", [.text(resource), .text(old), .text(new)])
  }

  /// The identifier of a record in the target.
  func newName(of old: String, in resource: String) throws(CommandFailure) -> String? {
    try first("SELECT new FROM renamed WHERE resource = ? AND old = ?", [.text(resource), .text(old)]) { $0.text(0) }
      ?? nil
  }

  // MARK: Text

  /// The number of rows in memory at once.
  static let batch = 200

  private static let columns = "number, place, id, key, fields, partial"

  @Sendable private static func row(_ row: SQLRow) -> Row {
    Row(
      number: row.number(0) ?? 0, place: row.text(1), id: row.text(2), key: row.text(3), fields: object(row.text(4)),
      isPartial: row.number(5) == 1)
  }

  private static func text(_ object: Object) -> String { JSONWriter.compact(.object(object)) }

  private static func object(_ text: String?) -> Object {
    guard let text, let value = try? JSONReader.read(text), let object = value.object else { return Object() }
    return object
  }
}
