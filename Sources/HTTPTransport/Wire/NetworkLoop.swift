import BackendTransport
import CCurl
import Glibc
import Synchronization

/// The event loop of all requests of the process: on a thread of its own, or on one that a host lends.
final class NetworkLoop: HostedLoop {
  private enum State {
    case none
    case offered(any LoopHost)
    /// A thread was requested, or runs it.
    case started
  }

  static let shared = NetworkLoop()

  private let state = Mutex(State.none)
  private let works = Mutex<[@Sendable (Connections) -> Void]>([])
  /// The thread that runs it.
  private let thread = Mutex<pthread_t?>(nil)
  /// Readable once another thread has added work.
  private let bell = cc_bell()

  /// Makes the loop run on a thread of the host, from the first request on.
  func run(on host: any LoopHost) {
    state.withLock { state in
      if case .none = state { state = .offered(host) }
    }
  }

  /// Schedules work on the loop's thread; starts the loop at the first call.
  func schedule(_ work: @escaping @Sendable (Connections) -> Void) {
    put(work)
    let before = state.withLock { state in
      defer { state = .started }
      return state
    }
    switch before {
    case .started: break
    case .offered(let host): host.host(self)
    case .none: startThread()
    }
  }

  func execute(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard thread.withLock({ $0 }) != nil else { return false }
    put { _ in work() }
    return true
  }

  private func put(_ work: @escaping @Sendable (Connections) -> Void) {
    let isFirst = works.withLock { works in
      works.append(work)
      return works.count == 1
    }
    // Its own thread checks for work before it waits.
    if isFirst, thread.withLock({ $0.map { pthread_equal($0, pthread_self()) == 0 } ?? false }) { ring() }
  }

  private func ring() {
    var one: UInt64 = 1
    _ = write(bell, &one, 8)
  }

  private func startThread() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        cc_name_thread("network")
        NetworkLoop.shared.run(watching: -1) {}
        return nil
      }, nil)
    pthread_detach(thread)
  }

  func run(watching pipe: Int32, _ wake: @escaping @Sendable () -> Void) {
    thread.withLock { $0 = pthread_self() }
    let connections = Connections(pipe: pipe, bell: bell)
    // Work that was added before there was a thread has not signaled it.
    wake()
    while true {
      while case let due = works.withLock({ works in
        defer { works.removeAll(keepingCapacity: true) }
        return works
      }), !due.isEmpty {
        for work in due { work(connections) }
      }
      connections.perform()
      if works.withLock({ !$0.isEmpty }) { continue }
      let ready = connections.wait()
      if ready.bell { readAway(bell) }
      if ready.pipe {
        readAway(pipe)
        wake()
      }
    }
  }

  private func readAway(_ descriptor: Int32) {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    _ = read(descriptor, &bytes, 32)
  }
}
