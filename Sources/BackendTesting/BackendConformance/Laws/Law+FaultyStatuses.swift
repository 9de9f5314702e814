import BackendKit

/// The meaning of a status, whatever its sender: each replaces the server's response to every declared call.
extension Law {
  static let faultyStatuses: [Law] = [
    status("write not signed in", "401 to a write throws `unauthorized`; nothing was changed.", [401], [.unauthorized]),
    status("write not allowed", "403 to a write throws `forbidden`; nothing was changed.", [403], [.forbidden]),
    status(
      "answered as missing", "404 throws `notFound` or `misconfigured`, also to a list; nothing was changed.", [404],
      [.notFound, .misconfigured], reads: true),
    status(
      "conflict reported", "409 to a write throws `conflict` or `alreadyExists`; nothing was changed.", [409],
      [.conflict, .alreadyExists]),
    status(
      "refused request", "400 and 422 throw `invalid`; nothing was changed.", [400, 422], [.invalid], reads: true),
    status("too many writes", "429 to a write throws `rateLimited`; nothing was changed.", [429], [.rateLimited]),
    status(
      "failed write", "500 to a write throws `badResponse` or `unavailable`, with the effect `unknown`.", [500],
      [.badResponse, .unavailable], [.unknown]),
    status(
      "write out of service",
      "502, 503 and 504 to a write throw `unavailable` or `timedOut`, with the effect `unknown`.",
      [502, 503, 504], [.unavailable, .timedOut], [.unknown]),
  ]

  private static func status(
    _ name: String, _ promise: String, _ statuses: [Int], _ codes: [BackendError.Code],
    _ effects: [BackendError.Effect] = [.rejected], reads: Bool = false
  ) -> Law {
    Law(name, .faults, promise) { context throws(CheckStop) in
      let readCalls = reads ? try await context.readCalls() : []
      // A resource without writes has only reads to judge, one without either was turned away above.
      let writeCalls =
        context.operations.isDisjoint(with: [.create, .update, .delete])
        ? [] : try await context.writeCalls(unsent: true, clearing: true)
      guard !(readCalls + writeCalls).isEmpty else { return .notApplicable("the resource declares no write") }
      for status in statuses {
        let answer = FaultyExchange.Fault.answer(status: status, type: "application/json", body: "{}")
        for call in readCalls {
          let outcome = try await context.outcome(of: call, answer)
          try context.require(outcome, after: "status \(status) came", codes, readEffects)
        }
        for call in writeCalls {
          let outcome = try await context.outcome(ofWrite: call, answer)
          guard !outcome.befallen.isEmpty else { continue }
          let allowed = outcome.lookedAfter ? effects + [.rejected] : effects
          try context.require(outcome, after: "status \(status) came", codes, allowed)
        }
      }
      return .run
    }
  }
}
