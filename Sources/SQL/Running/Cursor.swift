import CSQLite

/// SQLite's position among the rows of a table.
final class Cursor {
  let table: Table
  private var rows = Scan.Rows.rows([])
  private(set) var place = -1
  private var reader: Statement?
  /// The current row; nil at the end.
  private(set) var row: Int32?

  init(_ table: Table) {
    self.table = table
    table.state.cursors += 1
  }

  /// Moves to the first row of a scan.
  func begin(_ scan: Scan, _ values: [[SQLArgument]]) throws(SQLError) {
    rows = try scan.open(values)
    place = -1
    try advance()
  }

  func advance() throws(SQLError) {
    place += 1
    switch rows {
    case .count(let count): row = place < count ? Int32(truncatingIfNeeded: place) : nil
    case .rows(let rows): row = place < rows.count ? rows[place] : nil
    case .set(let set): row = try set.row(at: place)
    }
    guard row != nil, !table.kept.isEmpty else { return }
    try read()
  }

  private func read() throws(SQLError) {
    if reader == nil { reader = try table.store().reader() }
    guard let reader else { return }
    reader.reset()
    _ = sv_bind_number(reader.handle, 1, Int64(row ?? 0))
    _ = try reader.step()
  }

  /// Passes the value of a column to SQLite.
  func give(_ column: Int, to context: OpaquePointer) throws(SQLError) {
    guard !sv_is_unchanged(context) else { return }
    guard let place = table.places[column], let row, let reader else { return sv_result_null(context) }
    if sv_result_stored(context, reader.handle, place) { return }
    try table.complete(row)
    try read()
    if !sv_result_stored(context, reader.handle, place) { sv_result_null(context) }
  }
}
