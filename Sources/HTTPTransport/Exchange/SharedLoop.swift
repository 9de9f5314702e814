import BackendTransport
import NIOCore
import NIOPosix
import Synchronization

/// The event loop that all clients of the process work on: on a thread of its own, or on one that a host lends.
enum SharedLoop {
  private enum State {
    case none
    case offered(any LoopHost)
    /// The host was asked; these wait for its thread to be free.
    case starting([CheckedContinuation<any EventLoop, Never>])
    case hosted(any EventLoop, lastUse: NIODeadline)
    case own(MultiThreadedEventLoopGroup)
  }

  private static let state = Mutex(State.none)

  /// Lets the loop run on a thread of the host's, from the first request on.
  static func run(on host: any LoopHost) {
    state.withLock { state in
      if case .none = state { state = .offered(host) }
    }
  }

  /// The loop; starts it at the first call.
  static func group() async -> any EventLoopGroup {
    let running: (any EventLoopGroup)? = state.withLock { state in
      switch state {
      case .hosted(let loop, _): return loop
      case .own(let group): return group
      case .none:
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        state = .own(group)
        return group
      case .offered, .starting: return nil
      }
    }
    if let running { return running }
    return await withCheckedContinuation { (continuation: CheckedContinuation<any EventLoop, Never>) in
      wait(continuation)
    }
  }

  private static func wait(_ continuation: CheckedContinuation<any EventLoop, Never>) {
    let (host, loop): ((any LoopHost)?, (any EventLoop)?) = state.withLock { state in
      switch state {
      case .offered(let host):
        state = .starting([continuation])
        return (host, nil)
      case .starting(let others):
        state = .starting(others + [continuation])
        return (nil, nil)
      case .hosted(let loop, _): return (nil, loop)
      // A host once offered stays: there is no way back from it to a thread of our own.
      case .own(let group): return (nil, group.any())
      case .none: return (nil, nil)
      }
    }
    if let loop { continuation.resume(returning: loop) }
    host?.host(HostThreadEventLoop { started($0) })
  }

  private static func started(_ loop: any EventLoop) {
    let waiting: [CheckedContinuation<any EventLoop, Never>] = state.withLock { state in
      guard case .starting(let waiting) = state else { return [] }
      state = .hosted(loop, lastUse: .now())
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: loop) }
  }

  /// Lets the loop see what happened to its connections while its thread was busy elsewhere.
  ///
  /// A host's thread may wait long for the operator or for a slow reader. A connection that its server closed
  /// meanwhile must not be taken for a good one: a write that meets it would end with nobody knowing its effect.
  static func catchUp() async {
    let now = NIODeadline.now()
    let late: (any EventLoop)? = state.withLock { state in
      guard case .hosted(let loop, let lastUse) = state else { return nil }
      state = .hosted(loop, lastUse: now)
      return now - lastUse > .milliseconds(5) ? loop : nil
    }
    // A time that has not come yet makes the loop look at its connections and overdue timers before.
    try? await late?.scheduleTask(in: .milliseconds(1)) {}.futureResult.get()
  }
}
