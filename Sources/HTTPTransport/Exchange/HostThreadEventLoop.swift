import BackendKit
import BackendTransport
import NIOCore
import NIOPosix
import Synchronization

/// The event loop of all transports on a thread that a host lends.
final class HostThreadEventLoop: HostedLoop {
  private let ready: @Sendable (any EventLoop) -> Void
  private let loop = Mutex<(any EventLoop)?>(nil)

  init(_ ready: @escaping @Sendable (any EventLoop) -> Void) { self.ready = ready }

  func run(watching pipe: Int32, _ wake: @escaping @Sendable () -> Void) {
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

  func execute(_ work: @escaping @Sendable () -> Void) -> Bool {
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
