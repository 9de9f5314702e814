import BackendClient
import BackendKit

/// One way to read a table in a plan of SQLite.
final class Scan {
  let table: Table
  /// The conditions whose values it gets, in order.
  let conditions: [Condition]
  /// The indices of the owners' identifiers among the values.
  let owners: [Int]
  /// The indices of LIMIT and OFFSET among the values; nil if they are not passed to the service.
  let limit: Int?
  let offset: Int?
  /// The order of its rows.
  let order: [ScanOrder]
  /// True if only its first row in this order is needed, unless SQLite omits it.
  let takesFirst: Bool
  /// True if only the number of rows matters.
  let counts: Bool
  /// The entry for the scan in the plan.
  let account: SQLPlan.Scan
  private var calls = 0
  /// The number of requests for keys.
  var lookups = 0

  init(
    _ table: Table, _ conditions: [Condition], owners: [Int], limit: Int?, offset: Int?, order: [ScanOrder],
    takesFirst: Bool, counts: Bool, account: SQLPlan.Scan
  ) {
    self.table = table
    self.conditions = conditions
    self.owners = owners
    self.limit = limit
    self.offset = offset
    self.order = order
    self.takesFirst = takesFirst
    self.counts = counts
    self.account = account
  }

  enum Rows {
    /// The rows of a set, which may still be read.
    case set(RecordSet)
    case rows([Int32])
    /// A number of rows whose columns nobody reads.
    case count(Int)
  }

  /// Starts reading. `values` has the values of the conditions, then of owners and limits.
  func open(_ values: [[SQLArgument]]) throws(SQLError) -> Rows {
    calls += 1
    let ownerID = try owner(values)
    if counts, let count = try table.total(of: ListQuery(table.path(below: ownerID))) { return .count(count) }
    for (condition, values) in zip(conditions, values) where Self.findsNothing(condition, values) { return .rows([]) }
    var chosen = try table.base(ownerID)
    var asked: Set<Int> = []
    if order.isEmpty, let rows = try knownRows(values, ownerID) { return .rows(rows) }
    // A list that is being read will be read to its end.
    if !chosen.isStarted, table.tellsRecords {
      let found = try remoteSet(values, ownerID)
      if let found, found.isLimited { return .set(found.set) }
      // The first page may have been the whole list.
      if let found { (chosen, asked) = (found.set, found.asked) } else { chosen = try table.base(ownerID) }
    }
    guard order.isEmpty else {
      try chosen.finish()
      return .rows(try table.store().rows(by: order).filter(chosen.contains))
    }
    if calls > 1, let key = localKey(besides: asked) {
      try chosen.finish()
      if chosen.rows.count > 16 { return .rows(try rows(of: chosen, with: values[key], in: conditions[key].column)) }
    }
    return .set(chosen)
  }

  private func owner(_ values: [[SQLArgument]]) throws(SQLError) -> RecordID? {
    guard let parent = table.resource.owners.last else { return nil }
    let names = table.owners.names
    let columns = (names.count > 1 ? "columns " : "column ") + names.joined(separator: ", ")
    guard owners.count == names.count else {
      throw SQLError(
        .statement,
        "\(table.name) can only be read for a single record of \(parent.name): its \(columns) \(names.count > 1 ? "need values" : "needs a value")",
        hint: table.owners.hint)
    }
    return Owners.identifier(
      try owners.map { place throws(SQLError) in
        switch values[place].first {
        case .text(let text)? where !text.isEmpty: return text
        case .integer(let number)?: return String(number)
        default:
          throw SQLError(
            .statement, "\(table.name) cannot be read: the value for its \(columns) is not an identifier",
            hint: table.owners.hint)
        }
      })
  }

  /// Returns whether the condition cannot hold for any row, as all its values are null.
  private static func findsNothing(_ condition: Condition, _ values: [SQLArgument]) -> Bool {
    switch condition.test {
    case .identical, .isNull, .isNotNull: false
    default: values.allSatisfy { $0 == .null }
    }
  }

  // MARK: Rows by a key

  /// The condition by whose value rows are found locally.
  private func localKey(besides asked: Set<Int>) -> Int? {
    let places = conditions.indices.filter { conditions[$0].test == .equal && !asked.contains($0) }
    return places.first { table.columns.all[conditions[$0].column].isIdentifier } ?? places.first
  }

  private func rows(of set: RecordSet, with values: [SQLArgument], in column: Int) throws(SQLError) -> [Int32] {
    let store = try table.store()
    var found: [Int32] = []
    for value in values { found += try store.rows(with: value, in: column) }
    if values.count > 1 { found = Set(found).sorted() }
    return set.rows.count == store.count ? found : found.filter(set.contains)
  }
}
