import BackendKit

/// The meaning of a status, whatever its sender: each replaces the server's response to every declared call.
extension Law {
  static let faultyStatuses: [Law] = [
    Law(
      "status codes of writes", .faults,
      "each error status in response to a write throws its code; from 500 up the effect is `unknown`, below that"
        + " nothing was changed.",
      parts: [
        status("write returns 401", [401], [.unauthorized]),
        status("write returns 403", [403], [.forbidden]),
        status("404 response", [404], [.notFound, .misconfigured], reads: true),
        status("write returns 409", [409], [.conflict, .alreadyExists]),
        status("400 or 422 response", [400, 422], [.invalid], reads: true),
        status("write returns 429", [429], [.rateLimited]),
        status("write returns 500", [500], [.badResponse, .unavailable], [.unknown]),
        status("write returns 502 to 504", [502, 503, 504], [.unavailable, .timedOut], [.unknown]),
      ])
  ]

  private static func status(
    _ name: String, _ statuses: [Int], _ codes: [BackendError.Code],
    _ effects: [BackendError.Effect] = [.rejected], reads: Bool = false
  ) -> Part {
    Part(name) { context throws(CheckStop) in
      let readCalls = reads ? try await context.calls.reads() : []
      // A resource without writes has only reads to judge, one without either was turned away above.
      let writeCalls =
        context.operations.isDisjoint(with: [.create, .update, .delete])
        ? [] : try await context.calls.writes(unsent: true, clearing: true)
      guard !(readCalls + writeCalls).isEmpty else { throw .notApplicable("the resource declares no write") }
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
    }
  }
}
