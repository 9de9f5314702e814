import BackendClient
import BackendKit

struct ExplainedRelation {
  let relation: Relation
  /// The compared field of the related records.
  let key: String?
  let way: RelatedRecords.Way
  /// The number of records that the requests are counted for.
  let records: Int
  let isPage: Bool

  /// The maximum number of additional requests for these records; nil if unknown.
  var mostRequests: Int? {
    switch way {
    case .list: (records + RelatedRecords.mostAtOnce - 1) / RelatedRecords.mostAtOnce
    case .get: records
    case .scan: nil
    }
  }

  private var goal: String { "\(relation.reference.resource)\(key.map { ".\($0)" } ?? "")" }

  var text: String {
    let requests = mostRequests.map { "at most \(counted($0, "more request"))" }
    let extent = isPage ? "for a page" : "for \(counted(records, "record"))"
    let how =
      switch way {
      case .list: "\(requests ?? "") \(extent): a filter on \(key ?? "") requests several at once"
      case .get: "\(requests ?? "") \(extent): one for each different record"
      case .scan: "the records of \(relation.reference.resource) are read and compared locally"
      }
    return "\(relation.path) -> \(goal), \(how)"
  }

  var facts: Object {
    Object(facts: [
      ("field", relation.path.text), ("resource", relation.reference.resource), ("key", key), ("way", way.rawValue),
      ("records", records), ("mostRequests", mostRequests),
    ])
  }
}

extension Relations {
  /// Returns the cost of each name for a page of this size; nil if the service sends all records at once.
  func explained(pageSize: Int?) async throws(BackendError) -> [ExplainedRelation] {
    var explained: [ExplainedRelation] = []
    for member in members {
      explained.append(
        ExplainedRelation(
          relation: member.relation, key: member.records.keyField, way: try await member.records.way(),
          records: pageSize ?? Self.batch, isPage: pageSize != nil))
    }
    return explained
  }
}
