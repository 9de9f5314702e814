import BackendClient
import BackendKit

/// The query to a service for some conditions of a scan.
struct Asking {
  /// The query with all conditions that the service accepts.
  var query: ListQuery
  /// The indices of the accepted conditions, and of those that it checks exactly as SQL does.
  var taken: [Int] = []
  var exact: Set<Int> = []
  /// The index of an IN with more values than one request takes.
  var split: Int?

  /// Returns whether the service finds exactly the rows that meet all of this number of conditions.
  func isExact(of count: Int) -> Bool { exact.count == count && split == nil && !query.ignoreCase }
}

extension Table {
  /// The maximum number of values of IN in one request.
  static let mostAtOnce = 50

  /// Determines who checks which conditions, without a request.
  func asking(
    _ conditions: [Condition], _ values: [[SQLArgument]], at path: ResourcePath
  ) throws(SQLError) -> Asking {
    var asking = Asking(query: ListQuery(path))
    guard tellsRecords else { return asking }
    var questions: [(place: Int, question: Question)] = []
    for (place, condition) in conditions.enumerated() {
      var values = values[place]
      if values.count > Self.mostAtOnce {
        guard asking.split == nil else { continue }
        asking.split = place
        values = Array(values.prefix(Self.mostAtOnce))
      }
      guard let question = columns.all[condition.column].question(condition.test, values) else { continue }
      questions.append((place, question))
    }
    asking.query.ignoreCase = questions.contains { $0.question.ignoresCase }
    var asked = asking.query.ignoreCase ? questions.filter(\.question.allowsIgnoringCase) : questions
    var fidelities = try fidelities(of: asked.map(\.question), asking.query)
    let takesNone = !zip(asked, fidelities).contains { $0.question.ignoresCase && $1 != .not }
    if asking.query.ignoreCase, takesNone {
      asking.query.ignoreCase = false
      asked = questions.filter { !$0.question.ignoresCase }
      fidelities = try self.fidelities(of: asked.map(\.question), asking.query)
    }
    for ((place, question), fidelity) in zip(asked, fidelities) where fidelity != .not {
      asking.taken.append(place)
      if fidelity == .exact, question.isExact { asking.exact.insert(place) }
      asking.query.filters.append(question.filter)
    }
    if let split = asking.split, !asking.taken.contains(split) { asking.split = nil }
    return asking
  }

  private func fidelities(of questions: [Question], _ query: ListQuery) throws(SQLError) -> [Fidelity] {
    var query = query
    query.filters = questions.map(\.filter)
    return try fidelities(of: query) ?? []
  }

  /// Returns the query with this order; nil if the service does not sort a list in exactly this order.
  func sorts(_ query: ListQuery, by order: [ScanOrder]) throws(SQLError) -> ListQuery? {
    var query = query
    for key in order {
      let column = columns.all[key.column]
      guard column.isNeverNull, [.text, .integer, .number].contains(column.kind), let path = column.path else {
        return nil
      }
      query.sort.append(SortKey(path, isDescending: key.isDescending))
    }
    if order.isEmpty { return query }
    return try fidelities(of: query)?.last == .exact ? query : nil
  }

  /// The identifiers in values of a column; nil if one is not an identifier.
  func identifiers(_ condition: Condition, _ values: [SQLArgument]) -> [RecordID]? {
    let column = columns.all[condition.column]
    let rule = resource.description.identifier
    guard column.isIdentifier, condition.test.isEquality, tellsRecords else { return nil }
    var ids: [RecordID] = []
    for value in values where value != .null {
      let id: RecordID
      switch (column.declaration, value) {
      case ("TEXT", .text(let text)): id = RecordID(text)
      case ("INTEGER", _):
        guard let number = value.number(asInteger: true)?.integer else { return nil }
        id = RecordID(String(number))
      default: return nil
      }
      guard rule.complaint(about: id) == nil else { return nil }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}
