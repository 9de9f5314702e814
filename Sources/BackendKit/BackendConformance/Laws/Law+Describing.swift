import BackendKit

extension Law {
  static let describing: [Law] = [quietDescription, stableDescription]

  private static let quietDescription = Law(
    "quiet description", .describe, "with `.known` no request is made."
  ) { bench throws(Halt) in
    let (backend, traffic) = try bench.deadEnd()
    _ = try await bench.attempt("what is known was described") { () throws(BackendError) in
      try await backend.describe(.known)
    }
    try bench.require(
      traffic.count == 0, "what is known was described", expected: "no request",
      found: "the request \(traffic.requests.first?.summary ?? "")")
    return .run
  }

  private static let stableDescription = Law(
    "stable description", .describe, "two calls without a change on the server give equal answers."
  ) { bench throws(Halt) in
    for depth in DescriptionDepth.allCases {
      let done = "the backend was described twice, \(depth.rawValue)"
      let first = try await bench.attempt(done) { () throws(BackendError) in try await bench.backend.describe(depth) }
      let second = try await bench.attempt(done) { () throws(BackendError) in try await bench.backend.describe(depth) }
      try bench.require(first == second, done, expected: "equal answers", found: "two answers that differ")
    }
    return .run
  }
}
