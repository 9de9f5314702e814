import NIOCore
import NIOHTTP1

/// Fails a response whose status is below 100. The HTTP library takes one for a preliminary response, which has no body,
/// and ends the process at its body.
final class StatusCheck: ChannelInboundHandler {
  /// The response has such a status.
  struct Fault: Error {}

  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  private var isOver = false

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
    guard case .head(let head) = unwrapInboundIn(data), head.status.code < 100 else {
      return context.fireChannelRead(data)
    }
    isOver = true
    context.fireErrorCaught(Fault())
    context.close(promise: nil)
  }
}
