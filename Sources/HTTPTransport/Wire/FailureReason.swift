import BackendKit
import CCurl
import Glibc

/// The reason for a failure of a request.
enum FailureReason: Equatable {
  case noConnection(String, hint: String? = nil)
  case unknownHost
  case insecure(String, hint: String? = nil)
  /// The server ended the TLS handshake.
  case refusedHandshake(TLSAlert)
  /// The certificate is not of a known authority, or not valid now.
  case untrusted
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
  /// Nothing was to be sent; the server has shown this certificate, in DER form.
  case shown([UInt8]?)
  /// Something else, in the library's words.
  case other(String)

  /// The reason for a result of the library's with its message.
  ///
  /// - Parameter system: the system's number for what went wrong, 0 for none.
  /// - Parameter proxyStatus: the status with which a proxy responded to a request to connect, 0 for none.
  /// - Parameter fault: what is wrong with the certificate that was shown.
  init(
    _ code: CURLcode, _ message: String, isSent: Bool, hasHead: Bool, system: CInt, proxyStatus: Int,
    fault: CertificateFault?
  ) {
    if !isSent, proxyStatus != 0, !(200..<300).contains(proxyStatus) {
      self = Self.refusal(ofProxy: proxyStatus)
      return
    }
    let alert = TLSAlert(message)
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unknownHost
    case CURLE_COULDNT_CONNECT: self = Self.connection(system)
    case CURLE_OPERATION_TIMEDOUT: self = isSent ? .totalTimedOut : .connectTimedOut
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      self = .garbled(
        message.contains(text: "response code") ? "the response has no valid status" : "the response is not HTTP")
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      self = .insecure(fault?.reason ?? "the server's key differs from the pinned key", hint: fault?.hint)
    case CURLE_PEER_FAILED_VERIFICATION: self = Self.verification(message)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
      CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
      self = Self.handshake(message, alert)
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
      if let alert, !hasHead { self = .refusedHandshake(alert) } else { self = .closed }
    case CURLE_PROXY: self = .noConnection("the proxy refuses to connect", hint: Self.exemption)
    case CURLE_OUT_OF_MEMORY: self = .other("out of memory")
    default: self = .other(message.isEmpty ? "libcurl reports \(code.rawValue)" : message)
    }
  }

  /// True if the server has not accepted the client's certificate.
  var isRefusedCertificate: Bool {
    if case .refusedHandshake(let alert) = self { alert.isOfCertificate } else { false }
  }

  private static let exemption = "it must allow CONNECT to this host and port; or exempt the host in no_proxy"
  private static let pinning = "set the digest of its key as `pin` under `tls`"
  /// The hint where the certificate is not trusted.
  static let trust = "set its CA certificate as `ca` under `tls`, or \(pinning)"

  private static func refusal(ofProxy status: Int) -> FailureReason {
    status == 407
      ? .noConnection(
        "the proxy asks for a user name and password", hint: "write http://USER:PASSWORD@HOST:PORT in its variable")
      : .noConnection("the proxy refuses to connect: status \(status)", hint: exemption)
  }

  private static func connection(_ system: CInt) -> FailureReason {
    switch system {
    case 0, ECONNREFUSED: .noConnection("connection refused")
    case ETIMEDOUT: .connectTimedOut
    case EHOSTUNREACH, ENETUNREACH: .noConnection("no route to host")
    default: .noConnection(strerror(system).map { String(cString: $0).lowercased() } ?? "error \(system)")
    }
  }

  private static func verification(_ message: String) -> FailureReason {
    message.contains(text: "subject name") || message.contains(text: "no alternative certificate")
      ? .insecure("the certificate is not for this host", hint: "use a host name of the certificate, or \(pinning)")
      : .untrusted
  }

  private static func handshake(_ message: String, _ alert: TLSAlert?) -> FailureReason {
    let lower = message.lowercased()
    if lower.contains(text: "certificate verify failed") { return .untrusted }
    if ["unsupported protocol", "protocol version", "wrong version"].contains(where: { lower.contains(text: $0) }) {
      return lower.contains(text: "wrong version")
        ? .insecure("the TLS handshake failed", hint: "check that the address is that of a TLS server")
        : .insecure("the server does not support TLS 1.2 or later", hint: "enable TLS 1.2 or later on the server")
    }
    if lower.contains(text: "private key") || lower.contains(text: "key values mismatch") {
      return .insecure("the key does not belong to the certificate", hint: "check `cert` and `key` under `tls`")
    }
    if let alert { return .refusedHandshake(alert) }
    return .insecure("the TLS handshake failed", hint: "check that the address is that of a TLS server")
  }
}

/// The reason that a server gives when it ends a TLS connection (RFC 8446, section 6.2).
struct TLSAlert: Equatable {
  /// The reason as the RFC has it, with blanks: `certificate required`.
  let words: String

  /// The alert in a message of the TLS library, like `tlsv13 alert certificate required, errno 0`; nil where there is none.
  init?(_ message: String) {
    guard let mark = message.firstRange(ofText: " alert ") else { return nil }
    words = String(message[mark.upperBound...].prefix { $0.isLetter || $0 == " " })
    if words.isEmpty { return nil }
  }

  /// True if a server ends a handshake in this way that lacks a client certificate or does not accept it.
  var mayBeOfCertificate: Bool { words == "handshake failure" || isOfCertificate }

  /// True if the alert is on the client's certificate and nothing else. The server is then still within the handshake, even
  /// where the client, as in TLS 1.3, has finished it and sent the request: no request was read.
  var isOfCertificate: Bool { words.contains(text: "certificate") || words == "unknown ca" }
}
