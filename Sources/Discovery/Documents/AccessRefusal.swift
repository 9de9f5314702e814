import BackendClient
import BackendKit

/// A read that was refused without the right credentials, and what the document says of these.
struct AccessRefusal {
  let answer: ProbeResponse
  let document: ServiceDocument?

  /// True for a status with which a service refuses what lacks credentials.
  static func isShown(by answer: ProbeResponse) -> Bool { [401, 403].contains(answer.status) }

  var error: BackendError {
    let isUnknown = answer.status == 401
    return BackendError(
      isUnknown ? .unauthorized : .forbidden,
      "\(isUnknown ? "authentication required" : "permission denied") (\(answer.status)) at \(answer.target.shown)",
      effect: .rejected, hint: hint)
  }

  /// The credentials that the document names, and the options that give them.
  var hint: String {
    Self.hint(document?.wanted(at: Candidates.plain(answer.target.address)) ?? [])
      ?? "--bearer-env, --basic-env, --header-env, --query-env or --cookie-env names the environment variable that holds the credentials"
  }

  /// The alternatives of a document in words; nil if there is none.
  static func hint(_ wanted: [[SecurityScheme]]) -> String? {
    guard !wanted.isEmpty else { return nil }
    let alternatives = wanted.map { schemes in
      // Header fields aside, a request carries the credentials of one login.
      let isPossible = schemes.count { !$0.option.hasPrefix("--header") } < 2
      let option = isPossible ? schemes.map(\.option).joined(separator: " ") : "no option sends both"
      return "\(schemes.map(\.wanted).joined(separator: " and ")): \(option)"
    }
    let line = wanted.first { $0.count == 1 }?.first.map { "; in the configuration: \($0.line)" } ?? ""
    return
      "the document names \(alternatives.joined(separator: ", or ")); VARIABLE is an environment variable with the secret\(line)"
  }

  /// Looks for the document of a service whose address is refused: without credentials, as most are public, and those
  /// that were given may just have been refused.
  static func find(_ answer: ProbeResponse, _ order: SurveyOrder) async throws(BackendError) -> AccessRefusal {
    var bare = order
    bare.exchange = order.bareExchange ?? order.exchange
    let prober = Prober(bare)
    prober.begin(limit: DocumentSearch.mostRequests)
    prober.keepWhatIsFound()
    let path = Candidates.plain(order.target)
    for base in [path, String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])] where order.known == nil {
      let found: FoundDocument?
      do throws(BackendError) {
        found = try await DocumentSearch.document(prober, order, base: base, first: answer, isList: false).found
      } catch {
        // The refusal is what the operator has to know.
        guard error.code != .cancelled else { throw error }
        break
      }
      guard let found else { continue }
      order.onLogins(found.document.logins)
      return AccessRefusal(answer: answer, document: found.document)
    }
    return AccessRefusal(answer: answer, document: nil)
  }
}
