import CSQLite

/// SQLite's callbacks for the tables of backends.
enum TableModule {
  /// The methods, whose pointer SQLite keeps.
  nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_module> = {
    let methods = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    var module = sqlite3_module()
    module.iVersion = 1
    module.xCreate = { database, context, _, words, made, _ in connect(database, context, words, made) }
    module.xConnect = { database, context, _, words, made, _ in connect(database, context, words, made) }
    module.xDisconnect = { release($0) }
    module.xDestroy = { release($0) }
    module.xBestIndex = { choose($0, $1) }
    module.xOpen = { open($0, $1) }
    module.xClose = { close($0) }
    module.xFilter = { pointer, number, _, count, values in filter(pointer, Int(number), Int(count), values) }
    module.xNext = { pointer in advance(pointer) }
    module.xEof = { pointer in cursor(pointer).row == nil ? 1 : 0 }
    module.xColumn = { pointer, context, column in give(Int(column), of: pointer, to: context) }
    module.xRowid = { pointer, row in
      row?.pointee = Int64(cursor(pointer).row ?? 0)
      return SQLITE_OK
    }
    module.xUpdate = { pointer, count, values, _ in update(pointer, Int(count), values) }
    methods.initialize(to: module)
    return methods
  }()

  private typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
  private typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>

  private static func connect(
    _ database: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ words: UnsafePointer<UnsafePointer<CChar>?>?, _ made: UnsafeMutablePointer<TablePointer?>?
  ) -> Int32 {
    guard let context, let words, let schema = words[1], let name = words[2] else { return SQLITE_ERROR }
    let core = Unmanaged<StatementCore>.fromOpaque(context).takeUnretainedValue()
    guard let table = core.table(String(cString: schema), String(cString: name)) else { return SQLITE_ERROR }
    let code = sv_declare(database, table.columns.declaration)
    guard code == SQLITE_OK else { return code }
    let pointer = UnsafeMutablePointer<sv_table>.allocate(capacity: 1)
    pointer.initialize(to: sv_table())
    pointer.pointee.table = Unmanaged.passRetained(TableLink(table, core)).toOpaque()
    made?.pointee = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static func release(_ pointer: TablePointer?) -> Int32 {
    guard let pointer else { return SQLITE_OK }
    let own = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sv_table.self)
    own.pointee.table.map { Unmanaged<TableLink>.fromOpaque($0).release() }
    own.deallocate()
    return SQLITE_OK
  }

  private static func link(_ pointer: TablePointer) -> TableLink? {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sv_table.self).pointee.table
      .map { Unmanaged<TableLink>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func choose(_ pointer: TablePointer?, _ info: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let pointer, let info, let link = link(pointer) else { return SQLITE_ERROR }
    do throws(SQLError) {
      guard let scan = try Choice.make(link.table, info) else { return SQLITE_CONSTRAINT }
      info.pointee.idxNum = Int32(link.core.add(scan))
      return SQLITE_OK
    } catch { return link.core.fail(error, pointer) }
  }

  private static func update(
    _ pointer: TablePointer?, _ count: Int, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard let pointer, let values, let link = link(pointer) else { return SQLITE_ERROR }
    do throws(SQLError) {
      try link.core.recorder.add((0..<count).compactMap { values[$0] }, to: link.table)
      return SQLITE_OK
    } catch { return link.core.fail(error, pointer) }
  }

  // MARK: Cursors

  private static func open(_ pointer: TablePointer?, _ made: UnsafeMutablePointer<CursorPointer?>?) -> Int32 {
    guard let pointer, let link = link(pointer) else { return SQLITE_ERROR }
    let cursor = UnsafeMutablePointer<sv_cursor>.allocate(capacity: 1)
    cursor.initialize(to: sv_cursor())
    cursor.pointee.cursor = Unmanaged.passRetained(Cursor(link.table)).toOpaque()
    made?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  private static func close(_ pointer: CursorPointer?) -> Int32 {
    guard let pointer else { return SQLITE_OK }
    let own = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sv_cursor.self)
    Unmanaged<Cursor>.fromOpaque(own.pointee.cursor).release()
    own.deallocate()
    return SQLITE_OK
  }

  private static func cursor(_ pointer: CursorPointer?) -> Cursor {
    let own = UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: sv_cursor.self)
    return Unmanaged<Cursor>.fromOpaque(own.unsafelyUnwrapped.pointee.cursor).takeUnretainedValue()
  }

  private static func move(_ pointer: CursorPointer?, _ body: (Cursor) throws(SQLError) -> Void) -> Int32 {
    do throws(SQLError) {
      try body(cursor(pointer))
      return SQLITE_OK
    } catch {
      guard let table = pointer?.pointee.pVtab, let link = link(table) else { return SQLITE_ERROR }
      return link.core.fail(error, table)
    }
  }

  private static func advance(_ pointer: CursorPointer?) -> Int32 {
    move(pointer) { cursor throws(SQLError) in try cursor.advance() }
  }

  private static func give(_ column: Int, of pointer: CursorPointer?, to context: OpaquePointer?) -> Int32 {
    guard let context else { return SQLITE_ERROR }
    return move(pointer) { cursor throws(SQLError) in try cursor.give(column, to: context) }
  }

  private static func filter(
    _ pointer: CursorPointer?, _ number: Int, _ count: Int, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard let table = pointer?.pointee.pVtab, let core = link(table)?.core, let scan = core.scan(number) else {
      return SQLITE_ERROR
    }
    var arguments: [[SQLArgument]] = []
    for place in 0..<count {
      guard let value = values?[place] else { return SQLITE_ERROR }
      let takesAll = place < scan.conditions.count && scan.conditions[place].takesAll
      arguments.append(takesAll ? all(of: value) : [SQLArgument(value)])
    }
    return move(pointer) { cursor throws(SQLError) in try cursor.begin(scan, arguments) }
  }

  /// The distinct values of IN.
  private static func all(of list: OpaquePointer) -> [SQLArgument] {
    var values: [SQLArgument] = []
    var seen: Set<SQLArgument> = []
    var next = sv_first(list)
    while let value = next {
      let argument = SQLArgument(value)
      if seen.insert(argument).inserted { values.append(argument) }
      next = sv_next(list)
    }
    return values
  }
}

/// A table with the statement that it belongs to.
final class TableLink {
  let table: Table
  unowned let core: StatementCore

  init(_ table: Table, _ core: StatementCore) {
    self.table = table
    self.core = core
  }
}
