/// The way a write waits for work that a service does later. By default it waits, and nobody is told.
public struct JobWait: Sendable {
  /// True if a write waits until it is done; otherwise it ends once the service has accepted it.
  public var waits: Bool
  /// Told how far it is, in the service's own words, each time the service was asked: untrusted text.
  public var tell: @Sendable (String) -> Void

  /// Told the address at which the service tells how far it is, as soon as that is known.
  public var accepted: @Sendable (String) async -> Void = { _ in }

  /// A way to wait.
  public init(waits: Bool = true, tell: @escaping @Sendable (String) -> Void = { _ in }) {
    self.waits = waits
    self.tell = tell
  }
}
