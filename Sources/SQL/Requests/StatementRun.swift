import CSQLite

/// The state of a statement while it runs.
final class StatementRun {
  let errands: Errands
  let spool: Database
  let limits: SQLLimits
  /// Passes on available rows before something is awaited.
  private let flush: () throws(SQLError) -> Void

  init(_ errands: Errands, limits: SQLLimits, flush: @escaping () throws(SQLError) -> Void) throws(SQLError) {
    self.errands = errands
    self.limits = limits
    self.flush = flush
    spool = try Database(path: "", folder: limits.folder)
    try spool.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN")
    guard sv_add_key(spool.handle) == SQLITE_OK else { throw spool.failure(.limit) }
  }

  /// Called before the thread waits for a service.
  func beforeWaiting() throws(SQLError) { try flush() }
}
