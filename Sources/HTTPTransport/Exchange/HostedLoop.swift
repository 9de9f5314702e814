import BackendKit
import NIOCore
import NIOPosix
import Synchronization

/// A thread that is willing to run the event loop of all transports, beside its own work.
///
/// Where whoever asks and whoever sends share a thread, a request costs no change of threads.
public protocol LoopHost: Sendable {
  /// Is called once, before the first request of the process, on whatever thread; the host's thread then has to call
  /// ``HostedLoop/run(watching:_:)`` as soon as it is free.
  func host(_ loop: HostedLoop)
}

/// The event loop of all transports, to be run on a thread of the caller's.
public final class HostedLoop: Sendable {
  private let ready: @Sendable (any EventLoop) -> Void
  private let loop = Mutex<(any EventLoop)?>(nil)

  init(_ ready: @escaping @Sendable (any EventLoop) -> Void) { self.ready = ready }

  /// Runs the loop on the calling thread, for good.
  ///
  /// `wake` is called on it each time the pipe's reading end has something to read, which is read away.
  public func run(watching pipe: Int32, _ wake: @escaping @Sendable () -> Void) {
    MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
      self.loop.withLock { $0 = loop }
      // A loop that cannot watch the pipe still serves what comes through `execute`.
      NIOPipeBootstrap(group: loop)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(WakeUp(wake)) }
        }
        .takingOwnershipOfDescriptor(input: pipe)
        .whenComplete { _ in
          wake()
          self.ready(loop)
        }
    }
  }

  /// Does some work on the loop's thread soon; false, and nothing is done, where the loop does not run yet.
  public func execute(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let loop = loop.withLock({ $0 }) else { return false }
    loop.execute(work)
    return true
  }

  private final class WakeUp: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let wake: @Sendable () -> Void

    init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { wake() }
  }
}
