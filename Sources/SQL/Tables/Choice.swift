import BackendKit
import CSQLite

/// Decides how to read a table for one of the plans that SQLite considers.
struct Choice {
  private let table: Table
  private let info: UnsafeMutablePointer<sqlite3_index_info>
  private var taken: [(constraint: Int, condition: Condition)] = []
  private var samples: [[SQLArgument]] = []
  /// The constraints that give the owners, by the places of their columns.
  private var owners: [Int: Int] = [:]
  private var limit: Int?
  private var offset: Int?
  /// True if all conditions of SQLite on the table were used.
  private var isAll = true
  private var local: [String] = []

  /// A choice; nil if the table cannot be read in this plan.
  static func make(_ table: Table, _ info: UnsafeMutablePointer<sqlite3_index_info>) throws(SQLError) -> Scan? {
    var choice = Choice(table: table, info: info)
    guard choice.look() else { return nil }
    return try choice.decide()
  }

  private init(table: Table, info: UnsafeMutablePointer<sqlite3_index_info>) {
    self.table = table
    self.info = info
  }

  /// Examines the offered constraints; false if an owner is only known in another order of tables.
  private mutating func look() -> Bool {
    var mayHaveOwners = false
    for place in 0..<Int(info.pointee.nConstraint) {
      let offered = info.pointee.aConstraint[place]
      switch Int32(offered.op) {
      case SQLITE_INDEX_CONSTRAINT_LIMIT: if offered.usable != 0 { limit = place }
      case SQLITE_INDEX_CONSTRAINT_OFFSET: if offered.usable != 0 { offset = place } else { isAll = false }
      default: mayHaveOwners = look(at: offered, place) || mayHaveOwners
      }
    }
    return hasOwners || !mayHaveOwners
  }

  /// True if all owners are given, or there are none.
  private var hasOwners: Bool { owners.count == table.owners.names.count }

  /// Examines a constraint; true if it concerns an owner and cannot be used in this plan.
  private mutating func look(at offered: sqlite3_index_constraint, _ place: Int) -> Bool {
    let column = Int(offered.iColumn)
    guard column >= 0, let test = Condition.Test(offered.op) else {
      isAll = false
      return false
    }
    let subject = table.columns.all[column]
    if case .owner(let part) = subject.source, test == .equal {
      guard offered.usable != 0 else { return true }
      if owners[part] == nil { owners[part] = place } else { isAll = false }
      return false
    }
    guard offered.usable != 0, isBinary(place, test) else {
      isAll = false
      return false
    }
    let sample = value(place) ?? subject.sample(test)
    let isKey = test == .equal || test == .identical
    guard isKey || subject.question(test, [sample]) != nil else {
      isAll = false
      local.append(words(subject, test, place))
      return false
    }
    let takesAll = test == .equal && sv_take_all(info, Int32(place), true)
    taken.append((place, Condition(column: column, test: test, takesAll: takesAll)))
    samples.append(takesAll ? [sample, sample] : [sample])
    return false
  }

  /// Returns whether texts are compared code point by code point.
  private func isBinary(_ place: Int, _ test: Condition.Test) -> Bool {
    switch test {
    case .like, .glob, .isNull, .isNotNull: true
    default: sv_collation(info, Int32(place)).map { String(cString: $0) == "BINARY" } ?? true
    }
  }

  private func value(_ place: Int) -> SQLArgument? { sv_constant(info, Int32(place)).map { SQLArgument($0) } }

  // MARK: Deciding

  private mutating func decide() throws(SQLError) -> Scan {
    let conditions = taken.map(\.condition)
    let path = table.path(below: hasOwners ? Owners.identifier(table.owners.names.map { _ in "1" }) : nil)
    let asking = try table.asking(conditions, samples, at: path)
    let order = (0..<Int(info.pointee.nOrderBy)).map { place in
      let term = info.pointee.aOrderBy[place]
      return ScanOrder(column: Int(term.iColumn), isDescending: term.desc != 0)
    }
    // An order that is not the statement's own is that of max: SQLite stops after the first row. For min it requests
    // none, as NULL may be in every column. A condition that depends on another table may go through all rows of many
    // scans.
    let takesFirst =
      limit == nil && order.count == 1 && !table.isOrdered && taken.allSatisfy { isConstant($0.constraint) }
      && owners.values.allSatisfy(isConstant)
    var isLimited = false
    if limit != nil || takesFirst, isAll, asking.isExact(of: conditions.count), sv_distinct(info) == 0,
      order.allSatisfy({ $0.column >= 0 })
    {
      isLimited = try table.sorts(asking.query, by: order) != nil
    }
    let counts =
      !table.isWritten && info.pointee.colUsed == 0 && conditions.isEmpty && limit == nil
      && table.resource.description.capabilities.hasTotal
    var next: Int32 = 0
    for (constraint, _) in taken { give(constraint, &next) }
    let ownerPlaces = table.owners.names.indices.compactMap { give(owners[$0], &next) }
    let limitPlace = isLimited ? give(limit, &next) : nil
    let offsetPlace = isLimited ? give(offset, &next) : nil
    if isLimited, !order.isEmpty { info.pointee.orderByConsumed = 1 }
    for column in 0..<min(table.columns.all.count, 63) where info.pointee.colUsed & (1 << UInt64(column)) != 0 {
      table.use(column)
    }
    // Columns read by USING are only reported here; the last bit stands for all further ones.
    if info.pointee.colUsed & (1 << 63) != 0 {
      for column in table.columns.all.indices.dropFirst(63) { table.use(column) }
    }
    if isLimited { for key in order { table.use(key.column) } }
    var account = try account(asking, isLimited: isLimited, counts: counts)
    if isLimited, takesFirst { account.requests = "1" }
    return Scan(
      table, conditions, owners: ownerPlaces, limit: limitPlace, offset: offsetPlace, order: isLimited ? order : [],
      takesFirst: isLimited && takesFirst, counts: counts, account: account)
  }

  /// Requests a constraint's value for the scan, and returns its index there.
  @discardableResult private func give(_ constraint: Int?, _ next: inout Int32) -> Int? {
    guard let constraint else { return nil }
    next += 1
    info.pointee.aConstraintUsage[constraint].argvIndex = next
    return Int(next) - 1
  }

  /// Sets the costs, requests first, and describes the scan.
  private func account(_ asking: Asking, isLimited: Bool, counts: Bool) throws(SQLError) -> SQLPlan.Scan {
    var account = SQLPlan.Scan(table: table.name, local: local, strategy: "list", requests: "one for each page")
    var (cost, rows): (Double, Int64) = (100_000 + 10_000, 10_000)
    var isKey = false
    for (place, (constraint, condition)) in taken.enumerated() {
      let column = table.columns.all[condition.column]
      let text = words(column, condition.test, constraint, isList: condition.takesAll)
      if asking.exact.contains(place) {
        account.exact.append(text)
      } else if asking.taken.contains(place) {
        account.superset.append(text)
      } else if table.readsRecords, table.identifiers(condition, samples[place]) != nil {
        account.exact.append(text)
        isKey = true
      } else {
        account.local.append(text)
      }
      if condition.test == .equal || condition.test == .identical {
        rows = min(rows, column.isIdentifier ? 1 : 25)
        isKey = isKey || asking.taken.contains(place) && !isConstant(constraint)
      } else if asking.taken.contains(place) {
        rows = min(rows, 2_500)
      }
    }
    if isKey
      || account.exact.isEmpty && account.superset.isEmpty && rows < 2_500
        && !taken.allSatisfy({ isConstant($0.constraint) })
    {
      cost = 100 + Double(rows) * 2
    } else if rows < 10_000 {
      cost =
        (account.exact.isEmpty && account.superset.isEmpty ? 100_000 : 1_000 * max(1, Double(rows) / 100))
        + Double(rows)
    }
    if isKey {
      account.strategy = "lookup"
      account.requests = "one for each key, up to as many as the list has pages; then the list"
    }
    if isLimited {
      (account.strategy, account.requests, cost) = ("first records", "as many pages as LIMIT needs", 2_000)
    }
    account.request = taken.allSatisfy { isConstant($0.constraint) } ? table.firstRequest(asking.query) : nil
    if counts { (account.strategy, account.requests, cost) = ("count", "1", 1_000 + 10_000) }
    if table.resource.description.capabilities.paging == .none, !isKey { account.requests = "1" }
    info.pointee.estimatedCost = cost
    info.pointee.estimatedRows = rows
    return account
  }

  private func isConstant(_ constraint: Int) -> Bool { value(constraint) != nil }

  private func words(_ column: Column, _ test: Condition.Test, _ constraint: Int, isList: Bool = false) -> String {
    let name = SQLWords.quoted(column.name)
    if test == .isNull || test == .isNotNull { return "\(name) \(test.sign)" }
    if isList { return "\(name) IN (…)" }
    let value = value(constraint).map { value in
      if case .text(let text) = value { "'\(text)'" } else { value.shown.plainText }
    }
    return "\(name) \(test.sign) \(value ?? "…")"
  }
}
