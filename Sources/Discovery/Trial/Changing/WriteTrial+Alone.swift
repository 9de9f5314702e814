import BackendClient
import BackendKit

/// Changes of one field by itself: a value that goes along with others may depend on them.
extension WriteTrial {
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
    guard case .answered(let answer) = try await sendFitting(Object([(name, value)])) else { return .unknown }
    guard answer.isSuccess else { return answer.mayJudgeValues ? .refused(answer) : .unknown }
    guard case .record(let after, let read) = try await look() else { return .unknown }
    if after[name]?.isSame(as: value) == true { return .stored(read) }
    let isKept = stays(name, before, after)
    let words = isKept ? "it keeps its own value" : "another value"
    let evidence = "\(answer.evidence("the field alone")); \(read.evidence(words))"
    return isKept ? .kept(evidence: evidence) : .altered(evidence: evidence)
  }
}
