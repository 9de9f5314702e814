/// A thread that can run the event loop of all transports beside its own work.
///
/// If the requesting thread also runs the loop, a request needs no thread switch.
public protocol LoopHost: Sendable {
  /// Called once, before the first request of the process, on any thread; the host's thread then has to call
  /// ``HostedLoop/run(watching:_:)`` as soon as it is free.
  func host(_ loop: any HostedLoop)
}

/// The event loop of all transports, to be run on a thread of the caller.
public protocol HostedLoop: Sendable {
  /// Runs the loop on the calling thread forever.
  ///
  /// `wake` is called on it each time the pipe's reading end has data, which is consumed.
  func run(watching pipe: Int32, _ wake: @escaping @Sendable () -> Void)
  /// Schedules work on the loop's thread; returns false without doing so if the loop does not run yet.
  func execute(_ work: @escaping @Sendable () -> Void) -> Bool
}
