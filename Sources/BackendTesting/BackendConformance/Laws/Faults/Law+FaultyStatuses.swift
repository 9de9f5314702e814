import BackendKit

/// The meaning of a status, whatever its sender: each replaces the server's response to every declared call.
extension Law {
  static let faultyStatuses: [Law] = [
    status(
      "write returns 401",
      "a 401 response to a write throws `unauthorized`; nothing was changed.", [401], [.unauthorized]),
    status(
      "write returns 403",
      "a 403 response to a write throws `forbidden`; nothing was changed.", [403], [.forbidden]),
    status(
      "404 response",
      "a 404 response throws `notFound` or `misconfigured`, even for a list; nothing was changed.", [404],
      [.notFound, .misconfigured], reads: true),
    status(
      "write returns 409",
      "a 409 response to a write throws `conflict` or `alreadyExists`; nothing was changed.", [409],
      [.conflict, .alreadyExists]),
    status(
      "400 or 422 response",
      "a 400 or 422 response throws `invalid`; nothing was changed.", [400, 422], [.invalid], reads: true),
    status(
      "write returns 429",
      "a 429 response to a write throws `rateLimited`; nothing was changed.", [429], [.rateLimited]),
    status(
      "write returns 500",
      "a 500 response to a write throws `badResponse` or `unavailable`, with the effect `unknown`.", [500],
      [.badResponse, .unavailable], [.unknown]),
    status(
      "write returns 502 to 504",
      "a 502, 503 or 504 response to a write throws `unavailable` or `timedOut`, with the effect `unknown`.",
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
          try context.require(outcome, after: "status \(status) was returned", codes, readEffects)
        }
        for call in writeCalls {
          let outcome = try await context.outcome(ofWrite: call, answer)
          guard !outcome.befallen.isEmpty else { continue }
          let allowed = outcome.lookedAfter ? effects + [.rejected] : effects
          try context.require(outcome, after: "status \(status) was returned", codes, allowed)
        }
      }
      return .passed
    }
  }
}
