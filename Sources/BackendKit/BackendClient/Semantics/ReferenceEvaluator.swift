public import BackendKit

/// Answers a query over a whole list in memory: the result that every plan must equal.
public enum ReferenceEvaluator {
  /// The records that the query selects, in its order, projected.
  public static func evaluate(_ query: ListQuery, over list: [Record]) -> [Record] {
    var records = list.filter { record in
      query.filters.allSatisfy { QueryRules.matches($0, record.fields, ignoringCase: query.ignoreCase) }
        && query.search.map { QueryRules.contains($0, record.fields) } ?? true
    }
    if !query.sort.isEmpty { records = sorted(records, by: query.sort, ignoringCase: query.ignoreCase) }
    return records.dropFirst(query.skip).map { project($0, onto: query.fields) }
  }

  /// The records sorted stably by the keys.
  public static func sorted(_ records: [Record], by keys: [SortKey], ignoringCase: Bool) -> [Record] {
    // The standard sort is stable in fact but does not promise it.
    records.enumerated().sorted { left, right in
      switch QueryRules.compare(left.element.fields, right.element.fields, by: keys, ignoringCase: ignoringCase) {
      case .before: true
      case .after: false
      case .same: left.offset < right.offset
      }
    }.map(\.element)
  }

  /// The record with only the fields that the paths lead into, in the requested order.
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
