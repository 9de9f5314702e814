import BackendClient
import BackendKit
import ServiceDescription

/// Changes of one field by itself: a value that goes along with others may depend on them.
extension TrialUpdates {
  /// The maximum number of such changes.
  static let mostAlone = 12

  /// The fate of a value that was sent for one field alone.
  enum Lone {
    case stored(ProbeResponse)
    /// The field has kept its own value.
    case kept(evidence: String)
    /// The field has another value than it had and than was sent.
    case altered(evidence: String)
    /// The change was refused, in any words that may be about the value.
    case refused(ProbeResponse)
    /// Nothing was sent, or nothing shows what the change did.
    case unknown
  }

  /// Sends a value for one field alone, and reads the record.
  func alone(_ name: String, _ value: Value) async throws(BackendError) -> Lone {
    guard aloneLeft > 0, let before = made?.fields else { return .unknown }
    aloneLeft -= 1
    guard let answer = try await sendFitting(Object([(name, value)])).answer else { return .unknown }
    guard answer.isSuccess else { return answer.mayJudgeValues ? .refused(answer) : .unknown }
    guard case .record(let after, let read) = try await look() else { return .unknown }
    if after[name]?.isSame(as: value) == true { return .stored(read) }
    let isKept = after.keeps(name, of: before)
    let words = isKept ? "it keeps its own value" : "another value"
    let evidence = "\(answer.evidence("the field alone")); \(read.evidence(words))"
    return isKept ? .kept(evidence: evidence) : .altered(evidence: evidence)
  }

  /// Fields that were not sent and have another value after a change of others may follow from these, unless they store
  /// the one that they had.
  func noteOthers(
    _ changes: Object, _ before: Object, _ after: Object, _ read: ProbeResponse
  ) async throws(BackendError) {
    for (name, value) in after.members where changes[name] == nil && name != marked?.name {
      guard let was = before[name], !was.isSame(as: value), sent[name] == nil, !record.isReadOnly(name),
        survey.claims[field: name] != nil, survey.claims[.revisionField] != name
      else { continue }
      if fields[name].map({ !$0.isGuarded && !$0.isReference }) == true, case .stored = try await alone(name, was) {
        record.writable.insert(name)
        continue
      }
      claim(field: name, .fieldReadOnly, true, read.evidence("it changed together with other fields"), .likely)
    }
  }
}
