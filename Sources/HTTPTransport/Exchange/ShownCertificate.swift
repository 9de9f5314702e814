import BackendKit
import BackendTransport
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// Reads the certificate that a server shows. Nothing is sent but the handshake: no request, and nothing that is secret.
enum ShownCertificate {
  /// The certificate of the server at an address.
  static func read(
    at address: String, _ patience: Duration, environment: ProxyEnvironment = .process
  ) async throws(BackendError) -> ServerCertificate {
    let origin = try WebAddress(configured: address).origin
    guard origin.isSecure else {
      throw .misconfigured("\(origin) does not use TLS", hint: "only an https address has a key to pin")
    }
    guard try environment.proxy(for: origin) == nil else {
      throw .misconfigured(
        "the certificate of \(origin) cannot be read through a proxy", hint: "give the digest of its key: --pin=DIGEST")
    }
    let bytes: [UInt8]?
    do { bytes = try await leaf(of: origin, patience) } catch {
      throw BackendError(
        .unavailable, "\(origin) presents no certificate", effect: .notSent,
        hint: "check that the address is that of a TLS server", cause: "\(error)")
    }
    guard let bytes, let shown = ServerCertificate(der: bytes) else {
      throw BackendError(.badResponse, "\(origin) presents no readable certificate", effect: .notSent)
    }
    return shown
  }

  /// Why the dates of a server's certificate do not let it be accepted now; nil if they do, or if nobody can tell.
  static func faultInDates(of origin: Origin, _ patience: Duration) async -> String? {
    guard let shown = try? await leaf(of: origin, patience), let certificate = LeafCertificate(der: shown) else {
      return nil
    }
    let now: Int = time(nil)
    let day = CivilDate.date(now / 86_400)
    let parts: [Int] = [day.year, day.month, day.day, now / 3600 % 24, now / 60 % 60, now % 60]
    let digits: [String] = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return certificate.fault(at: digits.joined())
  }

  private static func leaf(of origin: Origin, _ patience: Duration) async throws -> [UInt8]? {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    // Whoever asks decides by the key; that the server has it, the handshake proves.
    configuration.certificateVerification = .none
    let context = try NIOSSLContext(configuration: configuration)
    let group = await SharedLoop.group()
    let loop = group.next()
    let shown = loop.makePromise(of: NIOSSLCertificate?.self)
    let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(patience)).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        // An address is no name that a server is asked for.
        let name = origin.host.contains(":") || origin.host.allSatisfy { $0.isNumber || $0 == "." } ? nil : origin.host
        try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
        try channel.pipeline.syncOperations.addHandler(HandshakeEnd(shown))
      }
    }
    let channel: any Channel
    do { channel = try await bootstrap.connect(host: origin.host, port: origin.port).get() } catch {
      shown.fail(error)
      return try await shown.futureResult.get()?.toDERBytes()
    }
    let late = loop.scheduleTask(in: TimeAmount(patience)) { shown.fail(ChannelError.connectTimeout(.zero)) }
    defer {
      late.cancel()
      channel.close(promise: nil)
    }
    return try await shown.futureResult.get()?.toDERBytes()
  }

  /// Takes the certificate when the handshake is done.
  private final class HandshakeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let shown: EventLoopPromise<NIOSSLCertificate?>

    init(_ shown: EventLoopPromise<NIOSSLCertificate?>) { self.shown = shown }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
        context.channel.nioSSL_peerCertificate().cascade(to: shown)
      }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      shown.fail(error)
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      shown.fail(ChannelError.eof)
      context.fireChannelInactive()
    }
  }
}
