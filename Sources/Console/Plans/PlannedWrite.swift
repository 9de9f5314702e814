import BackendClient
import BackendKit

/// A write that a command would send.
struct PlannedWrite: Sendable {
  var write: Write
  /// The record as it was read for the command; nil where it was not read, or where there is none yet.
  var before: Record?
}

extension Session {
  /// Withholds writes where the command was told to send none: they go into the plan that the command belongs to, or are shown as
  /// requests. False where they are to be sent.
  func withholds(_ writes: [PlannedWrite], _ target: Target, _ invocation: Invocation) async throws -> Bool {
    if let plan = execution.plan {
      try endRehearsal()
      try await plan.add(writes, of: target, invocation, self)
      return true
    }
    return try await showsRequests(of: writes.map(\.write), target, invocation)
  }

  /// The same for writes of records that were not read.
  func withholds(_ writes: [Write], _ target: Target, _ invocation: Invocation) async throws -> Bool {
    try await withholds(writes.map { PlannedWrite(write: $0) }, target, invocation)
  }
}
