import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// The reason for a failure of the HTTP library.
enum FailureReason: Equatable {
  case noConnection(String, hint: String? = nil)
  case unknownHost
  case insecure(String, hint: String? = nil)
  case connectTimedOut
  case firstByteTimedOut
  case totalTimedOut
  /// Nothing more came of a long body.
  case partTimedOut
  case cancelled
  /// The other side closed the connection.
  case closed
  /// The response is not HTTP, or its compressed body is damaged or grows beyond the limit.
  case garbled(String)
  case unsendable(String)
  case other

  init(_ failure: ResponseStream.Failure) {
    switch failure.error {
    case ResponseStream.TimedOut.firstByte: self = .firstByteTimedOut
    case ResponseStream.TimedOut.total: self = .totalTimedOut
    case ResponseStream.TimedOut.part: self = .partTimedOut
    case let error as HTTPClientError: self = FailureReason(error)
    case let fault as CertificateFault: self = .insecure(fault.reason, hint: fault.hint)
    case let error as NIOConnectionError: self = FailureReason(error)
    case let error as IOError: self = FailureReason(error.errnoCode, isSent: failure.isSent)
    case ChannelError.connectTimeout: self = .connectTimedOut
    case is ChannelError: self = .closed
    case HTTPParserError.invalidEOFState:
      self = failure.hasHead ? .closed : .garbled("the response header is incomplete")
    case is HTTPParserError: self = .garbled("the response is not HTTP")
    case let error as NIOSSLError where failure.isSent && error == .uncleanShutdown: self = .closed
    case is NIOSSLError: self = FailureReason(handshake: "\(failure.error)")
    case is BoringSSLError where !failure.isSent: self = FailureReason(handshake: "\(failure.error)")
    case is NIOSSLExtraError:
      self = .insecure(
        "the certificate is not for this host", hint: "use a host name of the certificate, or \(Self.pinning)")
    case NIOHTTPDecompression.DecompressionError.limit:
      self = .garbled("the decompressed response exceeds the limit")
    case is StatusCheck.Fault: self = .garbled("the response has no valid status")
    case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
      self = .garbled("the compressed response is damaged")
    default: self = .other
    }
  }

  private init(_ error: HTTPClientError) {
    switch error {
    case .cancelled, .requestStreamCancelled: self = .cancelled
    case .remoteConnectionClosed, .uncleanShutdown: self = .closed
    case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
      .getConnectionFromPoolTimeout:
      self = .connectTimedOut
    case .deadlineExceeded: self = .totalTimedOut
    case .proxyAuthenticationRequired:
      self = .noConnection(
        "the proxy asks for a user name and password", hint: "write http://USER:PASSWORD@HOST:PORT in its variable")
    // The library keeps the status to itself.
    case .invalidProxyResponse:
      self = .noConnection(
        "the proxy refuses to connect",
        hint: "it must allow CONNECT to this host and port; or exempt the host in no_proxy")
    case .alreadyShutdown: self = .noConnection("the console is shutting down")
    default:
      // The texts of these errors quote header fields, which may be secrets.
      let name = error.shortDescription
      self = name.contains("eader") ? .unsendable("a header field contains a character that cannot be sent") : .other
    }
  }

  private init(_ error: NIOConnectionError) {
    let failures = error.connectionErrors.map(\.error)
    let codes = failures.compactMap { ($0 as? IOError)?.errnoCode }
    if let code = codes.first(where: { $0 == ECONNREFUSED }) ?? codes.first {
      self = FailureReason(code, isSent: false)
    } else if failures.isEmpty {
      self = .unknownHost
    } else {
      self = .connectTimedOut
    }
  }

  private init(_ code: CInt, isSent: Bool) {
    switch code {
    case _ where isSent: self = .closed
    case ETIMEDOUT: self = .connectTimedOut
    case ECONNREFUSED: self = .noConnection("connection refused")
    case EHOSTUNREACH, ENETUNREACH: self = .noConnection("no route to host")
    case ECONNRESET, EPIPE: self = .closed
    default: self = .noConnection(strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)")
    }
  }

  /// The certificate is not of a known authority, or not valid now: the TLS library does not tell which.
  static let untrusted = FailureReason.insecure(
    "the certificate is not trusted", hint: "set its CA certificate as `ca` under `tls`, or \(pinning)")

  private static let pinning = "set the digest of its key as `pin` under `tls`"

  private init(handshake text: String) {
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      self = .untrusted
    } else if ["UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION"].contains(where: { text.contains($0) }) {
      self = .insecure("the server does not support TLS 1.2 or later", hint: "enable TLS 1.2 or later on the server")
    } else if ["failedToLoadPrivateKey", "KEY_VALUES_MISMATCH"].contains(where: { text.contains($0) }) {
      self = .insecure("the key does not belong to the certificate", hint: "check `cert` and `key` under `tls`")
    } else if let alert = TLSAlert(text) {
      self = .insecure(
        "the server refused the TLS handshake (\(alert.words))",
        hint: alert.mayBeOfCertificate
          ? "it may want a client certificate, or another one: `cert` and `key` under `tls`" : "check the address")
    } else {
      self = .insecure("the TLS handshake failed", hint: "check that the address is that of a TLS server")
    }
  }
}

/// The reason that a server gives when it ends a TLS connection (RFC 8446, section 6.2).
struct TLSAlert {
  /// The reason as the RFC has it, with blanks: `certificate required`.
  let words: String

  /// The alert in the text of an error of the TLS library; nil where there is none.
  init?(_ text: String) {
    guard let match = text.firstMatch(of: /_ALERT_([A-Z_]+)/) else { return nil }
    words = match.1.lowercased().replacing("_", with: " ")
  }

  /// True if a server ends a handshake in this way that lacks a client certificate or does not accept it.
  var mayBeOfCertificate: Bool { words == "handshake failure" || isOfCertificate }

  /// True if the alert is on the client's certificate and nothing else. The server is then still within the handshake, even
  /// where the client, as in TLS 1.3, has finished it and sent the request: no request was read.
  var isOfCertificate: Bool { words.contains("certificate") || words == "unknown ca" }
}
