import BackendKit
import BackendTransport
import Glibc

/// Reads a server's certificate by a TLS handshake only: no request and no secret is sent.
enum ShownCertificate {
  static func read(at address: String, _ patience: Duration) async throws(BackendError) -> ServerCertificate {
    let origin = try WebAddress(configured: address).origin
    guard origin.isSecure else {
      throw .misconfigured("\(origin) does not use TLS", hint: "only an https address has a key to pin")
    }
    guard try ProxyEnvironment.process.proxy(for: origin) == nil else {
      throw .misconfigured(
        "the certificate of \(origin) cannot be read through a proxy", hint: "give the digest of its key: --pin=DIGEST")
    }
    let bytes: [UInt8]?
    do throws(ResponseStream.Failure) { bytes = try await certificate(of: origin, patience) } catch {
      throw BackendError(
        .unavailable, "\(origin) presents no certificate", effect: .notSent,
        hint: "check that the address is that of a TLS server", cause: "\(error.reason)")
    }
    guard let bytes, let shown = ServerCertificate(der: bytes) else {
      throw BackendError(.badResponse, "\(origin) presents no readable certificate", effect: .notSent)
    }
    return shown
  }

  /// The server's certificate; nil if none can be read.
  static func leaf(of origin: Origin, _ patience: Duration) async -> LeafCertificate? {
    (try? await certificate(of: origin, patience)).flatMap { $0 }.flatMap { LeafCertificate(der: $0) }
  }

  private static func certificate(
    of origin: Origin, _ patience: Duration
  ) async throws(ResponseStream.Failure) -> [UInt8]? {
    let way: Way
    do throws(BackendError) {
      try Library.open()
      way = Way(
        origin: origin, proxy: nil, tls: try TLSMaterial(TLSSettings(insecure: true)), connect: patience,
        decompressionRatio: 1, maxConcurrent: 1)
    } catch {
      throw ResponseStream.Failure(reason: .other(error.message), source: error, isSent: false, hasHead: false)
    }
    let asking = WireRequest(
      method: "GET", address: origin.address + "/", headers: [], body: nil, content: nil, way: way, isFresh: true,
      firstByte: patience, deadline: .now + patience, isLong: false, isAsking: true)
    do throws(ResponseStream.Failure) { _ = try await ResponseStream(asking).head() } catch {
      if case .shown(let certificate) = error.reason { return certificate }
      throw error
    }
    return nil
  }
}

extension LeafCertificate {
  /// The reason why it is not valid at this time; nil if it is.
  var faultInDates: String? {
    let now: Int = time(nil)
    let day = CivilDate.date(now / 86_400)
    let parts: [Int] = [day.year, day.month, day.day, now / 3600 % 24, now / 60 % 60, now % 60]
    return fault(at: parts.map { String($0, digits: 2) }.joined())
  }
}
