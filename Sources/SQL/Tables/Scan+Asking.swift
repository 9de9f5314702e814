import BackendClient
import BackendKit

extension Scan {
  /// A set from the service, the conditions that it covers, and whether it is limited by LIMIT.
  struct Found {
    var set: RecordSet
    var asked: Set<Int> = []
    var isLimited = false
  }

  /// The records that the service finds; nil if the whole list is cheaper, or the only correct way.
  func remoteSet(_ values: [[SQLArgument]], _ owner: RecordID?) throws(SQLError) -> Found? {
    let path = table.path(below: owner)
    let asking = try table.asking(conditions, values, at: path)
    if let found = try limited(values, asking, owner) { return found }
    if let found = try records(values, asking, owner) { return found }
    if let found = try oneByOne(values, asking, owner) { return found }
    guard !asking.taken.isEmpty else { return nil }
    return try set(asking.query, values, asking.split, owner, asked: Set(asking.taken))
  }

  /// The rows of identifiers whose records were read before in any way; nil if one was not.
  func knownRows(_ values: [[SQLArgument]], _ owner: RecordID?) throws(SQLError) -> [Int32]? {
    let store = try table.store()
    guard store.count > 0 else { return nil }
    for (place, condition) in conditions.enumerated() {
      guard let ids = table.identifiers(condition, values[place]), !ids.isEmpty else { continue }
      var rows: [Int32] = []
      for id in ids {
        guard let row = try store.row(of: id, owner: owner) else { return nil }
        rows.append(row)
      }
      return rows.sorted()
    }
    return nil
  }

  /// The set of a query, in as many requests as IN needs.
  private func set(
    _ query: ListQuery, _ values: [[SQLArgument]], _ split: Int?, _ owner: RecordID?, asked: Set<Int>
  ) throws(SQLError) -> Found? {
    var queries = [query]
    if let split, let place = query.filters.firstIndex(where: { isAmong($0, split) }) {
      queries = []
      var rest = values[split][...]
      while !rest.isEmpty {
        let question = table.columns.all[conditions[split].column].question(
          .equal, Array(rest.prefix(Table.mostAtOnce)))
        rest = rest.dropFirst(Table.mostAtOnce)
        guard let question else { return nil }
        var part = query
        part.filters[place] = question.filter
        queries.append(part)
      }
    }
    return try union(queries, owner, asked)
  }

  /// The records of any of several queries.
  private func union(_ queries: [ListQuery], _ owner: RecordID?, _ asked: Set<Int>) throws(SQLError) -> Found? {
    try found(queries.map(Table.key).joined(separator: "\n"), owner, asked, requests: queries.count) {
      () throws(SQLError) in
      var sources: [RecordSet.Source] = []
      for query in queries { sources.append(.list(try table.request(query))) }
      return sources
    }
  }

  private func isAmong(_ filter: Filter, _ place: Int) -> Bool {
    if case .among(let path, _) = filter { table.columns.all[conditions[place].column].path == path } else { false }
  }

  private func found(
    _ key: String, _ owner: RecordID?, _ asked: Set<Int>, requests: Int,
    _ sources: () throws(SQLError) -> [RecordSet.Source]
  ) throws(SQLError) -> Found? {
    if let known = table.known(key) { return Found(set: known, asked: asked) }
    lookups += requests
    if lookups > 1, try !table.mayLookUp(owner, requests: lookups) { return nil }
    return Found(set: try table.set(key, owner: owner, from: sources), asked: asked)
  }

  /// The first records of the service's list, if nothing is left to SQLite.
  private func limited(_ values: [[SQLArgument]], _ asking: Asking, _ owner: RecordID?) throws(SQLError) -> Found? {
    guard asking.isExact(of: conditions.count), let most = most(values), most >= 0 else { return nil }
    var skipped: Int64 = 0
    if let offset {
      guard case .integer(let number)? = values[offset].first else { return nil }
      skipped = max(0, number)
    }
    guard
      let count = Int(exactly: most).flatMap({
        $0.addingReportingOverflow(Int(skipped)).overflow ? nil : $0 + Int(skipped)
      }),
      var query = try table.sorts(asking.query, by: order)
    else { return nil }
    // Larger pages than needed cost no more requests.
    query.pageSize = nil
    let key = Table.key(query) + "\nlimit \(count)"
    var found = try found(key, owner, Set(asking.taken), requests: 1) { () throws(SQLError) in
      // SQLite may still omit rows: it passes on LIMIT with some conditions that it does not offer.
      var rest = try table.request(query)
      rest.mostTotal = nil
      return [.list(try table.request(query, limit: count)), .list(rest)]
    }
    found?.isLimited = true
    return found
  }

  /// The maximum number of wanted rows; nil if unknown.
  private func most(_ values: [[SQLArgument]]) -> Int64? {
    if takesFirst { return 1 }
    guard let limit, case .integer(let most)? = values[limit].first else { return nil }
    return most
  }

  /// The records for each value of an IN, if the service cannot be asked for all at once.
  private func oneByOne(_ values: [[SQLArgument]], _ asking: Asking, _ owner: RecordID?) throws(SQLError) -> Found? {
    for (place, condition) in conditions.enumerated() where condition.takesAll && !asking.taken.contains(place) {
      let single = values[place].filter { $0 != .null }
      guard single.count > 1, single.count <= Table.mostAtOnce else { continue }
      var queries: [ListQuery] = []
      for value in single {
        var values = values
        values[place] = [value]
        let one = try table.asking(conditions, values, at: table.path(below: owner))
        guard one.taken == asking.taken.filter({ $0 < place }) + [place] + asking.taken.filter({ $0 > place }) else {
          break
        }
        queries.append(one.query)
      }
      guard queries.count == single.count else { continue }
      return try union(queries, owner, Set(asking.taken + [place]))
    }
    return nil
  }

  /// The records of identifiers, if the list cannot be asked for them.
  private func records(_ values: [[SQLArgument]], _ asking: Asking, _ owner: RecordID?) throws(SQLError) -> Found? {
    guard table.readsRecords else { return nil }
    for (place, condition) in conditions.enumerated() where !asking.taken.contains(place) {
      guard let ids = table.identifiers(condition, values[place]), !ids.isEmpty else { continue }
      let key = "\(table.path(below: owner)) records " + ids.map(\.text).joined(separator: "\u{1F}")
      return try found(key, owner, [place], requests: ids.count) { () throws(SQLError) in ids.map { .record($0) } }
    }
    return nil
  }
}
