public import BackendKit

/// Answers a query over a whole list in memory: what every plan's answer has to equal.
public enum ReferenceEvaluator {
  /// The records of the list that the query asks for, in its order, projected.
  public static func evaluate(_ query: ListQuery, over list: [Record]) -> [Record] {
    var records = list.filter { record in
      query.filters.allSatisfy { QueryRules.matches($0, record.fields, ignoringCase: query.ignoreCase) }
        && query.search.map { QueryRules.contains($0, record.fields) } ?? true
    }
    if !query.sort.isEmpty { records = sorted(records, by: query.sort, ignoringCase: query.ignoreCase) }
    return records.dropFirst(query.skip).map { project($0, onto: query.fields) }
  }

  /// The records in the order of the keys; those that no key tells apart keep their order.
  public static func sorted(_ records: [Record], by keys: [SortKey], ignoringCase: Bool) -> [Record] {
    // The standard sort is stable in fact but not by promise, so the place in the list decides ties.
    records.enumerated().sorted { left, right in
      switch QueryRules.compare(left.element.fields, right.element.fields, by: keys, ignoringCase: ignoringCase) {
      case .before: true
      case .after: false
      case .same: left.offset < right.offset
      }
    }.map(\.element)
  }

  /// The record with only the fields that the paths lead into, in the order asked for.
  public static func project(_ record: Record, onto paths: [FieldPath]?) -> Record {
    guard let paths else { return record }
    var fields = Object()
    var unloaded: [String] = []
    for path in paths {
      switch record.state(of: path) {
      case .value(let value): fields[path.text] = value
      case .unloaded: unloaded.append(path.text)
      case .absent: break
      }
    }
    return Record(id: record.id, fields: fields, unloaded: unloaded, revision: record.revision)
  }
}
