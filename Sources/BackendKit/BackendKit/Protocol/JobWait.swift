/// The way a write waits for jobs of the service. By default it waits without reporting progress.
public struct JobWait: Sendable {
  /// True to wait until the job is done; otherwise the write ends once the service has accepted it.
  public var waits: Bool
  /// Called with the progress in the service's own words after each poll: untrusted text.
  public var tell: @Sendable (String) -> Void

  /// Called with the address of the job's state, as soon as it is known.
  public var accepted: @Sendable (String) async -> Void = { _ in }

  /// A way to wait.
  public init(waits: Bool = true, tell: @escaping @Sendable (String) -> Void = { _ in }) {
    self.waits = waits
    self.tell = tell
  }
}
