import Foundation
import GRDB

/// The one SQLite file of all dialects. Nothing is cached, so several servers may share a file.
struct DemoStore: Sendable {
  private let database: any DatabaseWriter

  static func inMemory() throws -> DemoStore {
    try DemoStore(database: DatabaseQueue(configuration: configuration))
  }

  /// A database in a file, created if missing.
  static func file(_ path: String) throws -> DemoStore {
    // Two servers that open a new file at once compete for the switch to write-ahead logging, and SQLite does not wait
    // for the busy time-out there.
    var attempt = 0
    while true {
      do {
        return try DemoStore(database: DatabasePool(path: path, configuration: configuration))
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && attempt < 50 {
        attempt += 1
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { database in
      database.add(function: FoldCase.function)
    }
    return configuration
  }

  private init(database: any DatabaseWriter) throws {
    self.database = database
    try database.write { database in
      try database.execute(sql: Self.schema)
    }
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS documents (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      dialect TEXT NOT NULL,
      collection TEXT NOT NULL,
      id TEXT NOT NULL,
      json TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS documents_by_id ON documents (dialect, collection, id);
    CREATE INDEX IF NOT EXISTS documents_by_position ON documents (dialect, collection, position);
    CREATE INDEX IF NOT EXISTS documents_by_number ON documents (dialect, collection, CAST(id AS INTEGER));
    CREATE INDEX IF NOT EXISTS documents_unnumbered ON documents (dialect, collection)
      WHERE CASE WHEN json_valid(json) THEN json_type(json, '$.id') END IS NOT 'integer';
    CREATE TABLE IF NOT EXISTS sizes (
      dialect TEXT NOT NULL,
      collection TEXT NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (dialect, collection)
    ) WITHOUT ROWID;
    CREATE TRIGGER IF NOT EXISTS documents_inserted AFTER INSERT ON documents BEGIN
      INSERT INTO sizes VALUES (new.dialect, new.collection, 1)
        ON CONFLICT (dialect, collection) DO UPDATE SET number = number + 1;
    END;
    CREATE TRIGGER IF NOT EXISTS documents_deleted AFTER DELETE ON documents BEGIN
      UPDATE sizes SET number = number - 1 WHERE dialect = old.dialect AND collection = old.collection;
    END;
    INSERT OR IGNORE INTO sizes SELECT dialect, collection, count(*) FROM documents GROUP BY dialect, collection;
    CREATE TABLE IF NOT EXISTS counters (
      dialect TEXT NOT NULL,
      name TEXT NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (dialect, name)
    ) WITHOUT ROWID;
    """

  /// Reads one dialect's data as a consistent snapshot.
  func read<Result>(_ dialect: String, _ body: (DialectStore) throws -> Result) throws -> Result {
    try database.read { try body(DialectStore(database: $0, dialect: dialect)) }
  }

  /// Changes one dialect's data in a transaction, rolled back if the closure throws. Other writers wait meanwhile,
  /// including other processes.
  func write<Result>(_ dialect: String, _ body: (DialectStore) throws -> Result) throws -> Result {
    try database.write { try body(DialectStore(database: $0, dialect: dialect)) }
  }
}
