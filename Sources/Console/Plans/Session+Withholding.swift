import BackendClient
import BackendKit

extension Session {
  /// Withholds writes if the command was told to send none: they go into the plan that the command belongs to, or are shown as
  /// requests. False if they are to be sent.
  func withholds(_ writes: [PlannedWrite], _ target: Target, _ invocation: Invocation) async throws -> Bool {
    if let plan = execution.plan {
      try endRehearsal()
      try await plan.add(writes, of: target, invocation, self)
      return true
    }
    return try await showsRequests(of: writes.map(\.write), target, invocation)
  }
}
