import GRDB

/// One dialect's part of the database within one transaction: ordered collections of JSON documents, and counters. It
/// must not leave the closure of ``DemoStore/read(_:_:)`` or ``DemoStore/write(_:_:)``.
struct DialectStore {
  /// The connection, for a dialect's own SQL. Rows of `documents` belong to a dialect by their column `dialect`.
  let database: Database
  let dialect: String

  /// A stored document. Positions grow with each insertion and are never reused.
  struct Document {
    var position: Int64
    var id: String
    var json: String
  }

  /// All documents of a collection in order of insertion.
  func documents(in collection: String) throws -> [Document] {
    try documents(in: collection, orderedBy: "position", limit: -1, offset: 0)
  }

  /// A slice of a collection; a negative limit means none.
  ///
  /// `order` and `columns`, which may replace the document's text by another, are SQL over the columns `position`, `id`
  /// and `json`, never text from a request.
  func documents(
    in collection: String, orderedBy order: String, limit: Int, offset: Int, columns json: String = "json"
  ) throws -> [Document] {
    let start = order == "position" && offset > 0 ? try position(offset, in: collection) : nil
    let statement = try database.cachedStatement(
      sql: """
        SELECT position, id, \(json) FROM documents WHERE dialect = ? AND collection = ?
        \(start.map { "AND position >= \($0)" } ?? "") ORDER BY \(order) LIMIT ? OFFSET ?
        """)
    return try Row.fetchAll(statement, arguments: [dialect, collection, limit, start == nil ? offset : 0])
      .map { Document(position: $0[0], id: $0[1], json: $0[2]) }
  }

  /// The position of the document after so many; nil if it has to be counted, since there are gaps before it.
  private func position(_ offset: Int, in collection: String) throws -> Int64? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT (SELECT min(position) FROM documents WHERE dialect = ?1 AND collection = ?2) AS first,
          (SELECT max(position) FROM documents WHERE dialect = ?1 AND collection = ?2) AS last
        """)
    guard let row = try Row.fetchOne(statement, arguments: [dialect, collection]),
      let first: Int64 = row["first"], let last: Int64 = row["last"],
      try last - first + 1 == Int64(count(in: collection))
    else { return nil }
    return first + Int64(min(offset, Int(Int32.max)))
  }

  func document(in collection: String, id: String) throws -> Document? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT position, id, json FROM documents WHERE dialect = ? AND collection = ? AND id = ?
        ORDER BY position LIMIT 1
        """)
    return try Row.fetchOne(statement, arguments: [dialect, collection, id])
      .map { Document(position: $0[0], id: $0[1], json: $0[2]) }
  }

  /// The first document with that id, as JSON.
  func record(in collection: String, id: String) throws -> DemoJSON? {
    try document(in: collection, id: id).map { try DemoJSON(parsing: $0.json) }
  }

  /// All documents of a collection in order of insertion, as JSON.
  func records(in collection: String) throws -> [DemoJSON] {
    try documents(in: collection).map { try DemoJSON(parsing: $0.json) }
  }

  /// Puts a record in the place of the document with that id, or behind all others where there is none.
  func keep(_ record: DemoJSON, in collection: String, id: String) throws {
    guard try !replace(in: collection, id: id, json: record.compact()) else { return }
    try insert(in: collection, id: id, json: record.compact())
  }

  func count(in collection: String) throws -> Int {
    let statement = try database.cachedStatement(
      sql: "SELECT number FROM sizes WHERE dialect = ? AND collection = ?")
    return try Int.fetchOne(statement, arguments: [dialect, collection]) ?? 0
  }

  /// Appends a document. The dialect guarantees that the id is free.
  func insert(in collection: String, id: String, json: String) throws {
    try run(
      "INSERT INTO documents (dialect, collection, id, json) VALUES (?, ?, ?, ?)",
      [dialect, collection, id, json])
  }

  /// Replaces a document's text in place. False if there is none with that id.
  @discardableResult
  func replace(in collection: String, id: String, json: String) throws -> Bool {
    try run(
      "UPDATE documents SET json = ? WHERE dialect = ? AND collection = ? AND id = ?", [json, dialect, collection, id])
      > 0
  }

  /// Deletes all documents with that id. False if there is none.
  @discardableResult
  func remove(in collection: String, id: String) throws -> Bool {
    try run(
      "DELETE FROM documents WHERE dialect = ? AND collection = ? AND id = ?", [dialect, collection, id]) > 0
  }

  /// Deletes this document only.
  func remove(_ document: Document) throws {
    try run("DELETE FROM documents WHERE position = ?", [document.position])
  }

  /// Replaces the text of this document only.
  func replace(_ document: Document, json: String) throws {
    try run("UPDATE documents SET json = ? WHERE position = ?", [json, document.position])
  }

  /// Deletes all documents of a collection; counters stay.
  func removeAll(in collection: String) throws {
    try run("DELETE FROM documents WHERE dialect = ? AND collection = ?", [dialect, collection])
  }

  /// Deletes all documents and counters of the dialect.
  func clear() throws {
    try database.execute(sql: "DELETE FROM documents WHERE dialect = ?", arguments: [dialect])
    try database.execute(sql: "DELETE FROM counters WHERE dialect = ?", arguments: [dialect])
  }

  /// Runs a statement, and returns the number of changed documents.
  @discardableResult
  private func run(_ sql: String, _ arguments: StatementArguments) throws -> Int {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
    return database.changesCount
  }

  /// The names of the collections that hold at least one document, oldest first.
  func collections() throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT collection FROM sizes WHERE dialect = ? AND number > 0
        ORDER BY (SELECT min(position) FROM documents
          WHERE documents.dialect = sizes.dialect AND documents.collection = sizes.collection)
        """, arguments: [dialect])
  }

  /// The largest identifier if the member `id` of each document is a whole number; nil if one is not, or there are no
  /// documents. Numbers beyond 64 bits are clamped.
  func largestNumber(in collection: String) throws -> Int64? {
    let others = try database.cachedStatement(
      sql: """
        SELECT 1 FROM documents INDEXED BY documents_unnumbered WHERE dialect = ? AND collection = ?
        AND CASE WHEN json_valid(json) THEN json_type(json, '$.id') END IS NOT 'integer' LIMIT 1
        """)
    if try Int.fetchOne(others, arguments: [dialect, collection]) != nil { return nil }
    let statement = try database.cachedStatement(
      sql: """
        SELECT CAST(id AS INTEGER) FROM documents WHERE dialect = ? AND collection = ?
        ORDER BY CAST(id AS INTEGER) DESC LIMIT 1
        """)
    return try Int64.fetchOne(statement, arguments: [dialect, collection])
  }

  /// The counter's value, 0 if it was never set.
  func counter(_ name: String) throws -> Int64 {
    let statement = try database.cachedStatement(sql: "SELECT value FROM counters WHERE dialect = ? AND name = ?")
    return try Int64.fetchOne(statement, arguments: [dialect, name]) ?? 0
  }

  func setCounter(_ name: String, to value: Int64) throws {
    try run("INSERT OR REPLACE INTO counters (dialect, name, value) VALUES (?, ?, ?)", [dialect, name, value])
  }

  /// Increments a counter and returns the new value: 1 at the first call. A value is returned once, whatever is deleted
  /// later.
  func advance(_ name: String) throws -> Int64 {
    let value = try counter(name) + 1
    try setCounter(name, to: value)
    return value
  }
}
