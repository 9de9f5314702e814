/// The subject of a law. Laws run in this order.
public enum LawGroup: String, Sendable, Hashable, CaseIterable {
  case describe, options, plan, refusal, list, paging, get, create, update, delete, errors, identifiers, values,
    concurrency,
    cancellation, faults, differential
}
