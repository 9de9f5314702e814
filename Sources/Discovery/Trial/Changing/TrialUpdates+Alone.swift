import BackendClient
import BackendKit
import ServiceDescription

/// Updates of a single field, since values sent together may depend on each other.
extension TrialUpdates {
  static let mostAlone = 12

  enum Lone {
    case stored(ProbeResponse)
    case kept(evidence: String)
    /// The field has neither its old value nor the one that was sent.
    case altered(evidence: String)
    /// The update was refused, possibly because of the value.
    case refused(ProbeResponse)
    case unknown
  }

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

  /// Marks fields as dependent that changed although they were not sent, unless they store their old value again.
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
