import ConsoleSystem
import Files

/// The layout of the file by version. Newer versions are refused, older ones upgraded.
enum JournalSchema {
  static let version: Int64 = 4

  /// The columns of an entry, in the order of writing and reading.
  static let columns = [
    "began", "ended", "run", "process", "command", "origin", "prefix", "user", "backend", "resource", "id", "verb",
    "name",
    "sent", "before", "after", "outcome", "code", "message", "undoes", "settled", "step", "job",
  ]

  /// The upgrades from each version to the next, beginning with an empty file.
  private static let steps = [
    """
    CREATE TABLE entry (
      number INTEGER PRIMARY KEY AUTOINCREMENT, began INTEGER NOT NULL, ended INTEGER, run TEXT NOT NULL,
      process TEXT NOT NULL, command TEXT NOT NULL, origin TEXT NOT NULL, prefix TEXT NOT NULL, user TEXT,
      backend TEXT NOT NULL, resource TEXT NOT NULL, id TEXT, verb TEXT NOT NULL, name TEXT, sent TEXT, before TEXT,
      after TEXT, outcome TEXT NOT NULL, code TEXT, message TEXT, undoes INTEGER, settled TEXT);
    CREATE INDEX open ON entry (number) WHERE outcome = 'unknown';
    CREATE INDEX undone ON entry (undoes) WHERE undoes IS NOT NULL;
    """,
    "ALTER TABLE entry ADD COLUMN step INTEGER;",
    "ALTER TABLE entry ADD COLUMN job TEXT;",
    "CREATE INDEX ends ON entry (resource, id) WHERE verb IN ('create', 'delete');",
  ]

  /// Prepares an opened file: modes, tables, version.
  static func prepare(_ database: inout SQLiteFile) throws(FileFailure) {
    try database.run("PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL")
    var found = try version(of: &database)
    if found == 0 {
      // auto_vacuum can only be set in an empty file.
      try database.runAlone("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
    }
    guard found < version else { return }
    try database.together { database throws(FileFailure) in
      // Another console may have upgraded it meanwhile.
      found = try version(of: &database)
      while found < version {
        try database.run(steps[Int(found)])
        found += 1
      }
      try database.run("PRAGMA user_version = \(version)")
    }
  }

  private static func version(of database: inout SQLiteFile) throws(FileFailure) -> Int64 {
    let found = try database.number("PRAGMA user_version") ?? 0
    guard (0...version).contains(found) else {
      throw FileFailure(
        "it has version \(found), and this console reads versions up to \(version); use a newer console")
    }
    return found
  }
}
