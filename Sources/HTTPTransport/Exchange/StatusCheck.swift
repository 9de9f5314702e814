import Glibc
import NIOCore
import NIOHTTP1

/// Fails a response whose status is below 100, and acknowledges at once what has come of one that is not complete.
///
/// The HTTP library takes such a status for that of a preliminary response, which has no body, and ends the process at the
/// body. Many servers send head and body apart, the body only when the head is acknowledged; Linux waits 40 ms for a
/// request to carry the acknowledgement along.
final class StatusCheck: ChannelInboundHandler {
  /// The response has such a status.
  struct Fault: Error {}

  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  private var isOver = false
  private var isIncomplete = false

  /// Adds the check to a connection that is ready for its first request.
  static func add(to channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try pipeline.addHandler(StatusCheck(), position: .after(decoder))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isOver { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if head.status.code < 100 {
        isOver = true
        context.fireErrorCaught(Fault())
        context.close(promise: nil)
        return
      }
      isIncomplete = true
    case .body: break
    case .end: isIncomplete = false
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Each time: the next request that is sent turns it off. A Unix socket does not know the option, and needs none.
    if isIncomplete {
      try? context.channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_QUICKACK)), value: 1)
    }
    context.fireChannelReadComplete()
  }
}
