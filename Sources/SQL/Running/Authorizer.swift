import CSQLite

/// Limits what a statement may do: read tables of backends, and compute.
struct Authorizer {
  /// The first refusal, as a clause with a hint; nil if nothing was refused.
  private(set) var refusal: (message: String, hint: String?)?

  /// True once the statement is known to read or write. SQLite runs some statements without asking for authorization.
  private(set) var isKnown = false
  /// The table that the statement writes; nil if it only reads.
  private(set) var target: Table?

  static let others = "only SELECT, INSERT, UPDATE and DELETE are possible over backends"

  /// The functions that return rows without reading anything.
  static let rowFunctions: Set<String> = ["json_each", "json_tree"]

  /// Decides on an action. `use` is called with each column that is read.
  mutating func decide(
    _ action: Int32, _ first: String, _ second: String, _ schema: String, in core: StatementCore
  ) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE:
      isKnown = true
      return SQLITE_OK
    case SQLITE_FUNCTION:
      return second.asciiLowercased == "load_extension" ? refuse("extensions cannot be loaded") : SQLITE_OK
    case SQLITE_READ:
      if let table = core.table(schema, first) {
        if second.isEmpty { return SQLITE_OK }
        guard let column = table.columns.place(of: second) else { return refuse(second, isNoColumnOf: table) }
        table.use(column)
        return SQLITE_OK
      }
      if core.locals.has(schema, first) || Self.rowFunctions.contains(first.asciiLowercased) { return SQLITE_OK }
      // A name that the statement itself defines has no schema, and is only checked if none of its columns is read.
      if schema.isEmpty, second.isEmpty, !Self.isOwn(first.asciiLowercased) { return SQLITE_OK }
      return refuse("\(first) cannot be read", hint: "tables are resources of backends, as BACKEND.RESOURCE")
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if core.locals.isFilling { return SQLITE_OK }
      guard let table = core.table(schema, first) else {
        return refuse(Self.isOwn(first.asciiLowercased) ? Self.others : "\(first) cannot be written")
      }
      if action == SQLITE_UPDATE {
        guard let column = table.columns.place(of: second) else { return refuse(second, isNoColumnOf: table) }
        if let refusal = table.refusal(toWrite: table.columns.all[column]) {
          return refuse(refusal.message, hint: refusal.hint)
        }
      }
      table.isWritten = true
      if action == SQLITE_INSERT { table.isInserted = true }
      target = table
      isKnown = true
      return SQLITE_OK
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      return refuse("services have no transactions", hint: "plan carries out several writes together")
    default: return refuse(Self.others)
    }
  }

  /// Returns whether SQLite itself has a table with this name.
  private static func isOwn(_ name: String) -> Bool {
    ["sqlite_", "pragma_"].contains { name.hasPrefix($0) } || ["dbstat", "bytecode", "tables_used"].contains(name)
  }

  private mutating func refuse(_ name: String, isNoColumnOf table: Table) -> Int32 {
    refuse(
      "\(table.name) has no column \(name.asciiLowercased)",
      hint: "its records are identified by their identifier column")
  }

  private mutating func refuse(_ message: String, hint: String? = nil) -> Int32 {
    if refusal == nil { refusal = (message, hint) }
    return SQLITE_DENY
  }
}
