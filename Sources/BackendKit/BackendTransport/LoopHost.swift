/// A thread that is willing to run the event loop of all transports, beside its own work.
///
/// If the thread that asks is also the one that sends, a request needs no thread switch.
public protocol LoopHost: Sendable {
  /// Is called once, before the first request of the process, on whatever thread; the host's thread then has to call
  /// ``HostedLoop/run(watching:_:)`` as soon as it is free.
  func host(_ loop: any HostedLoop)
}

/// The event loop of all transports, to be run on a thread of the caller's.
public protocol HostedLoop: Sendable {
  /// Runs the loop on the calling thread, for good.
  ///
  /// `wake` is called on it each time the pipe's reading end has something to read, which is read away.
  func run(watching pipe: Int32, _ wake: @escaping @Sendable () -> Void)
  /// Does some work on the loop's thread soon; false, and nothing is done, where the loop does not run yet.
  func execute(_ work: @escaping @Sendable () -> Void) -> Bool
}
