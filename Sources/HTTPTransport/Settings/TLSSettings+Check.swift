import BackendKit
import BackendTransport

/// The reason why a server is refused although the TLS library accepted its certificate, or did not verify it.
struct CertificateFault: Error, Hashable {
  let reason: String
  let hint: String
}

extension TLSSettings {
  /// Returns the fault of a certificate; nil if the server is accepted.
  func fault(_ leaf: LeafCertificate) -> CertificateFault? {
    let digest = SHA256.hex(leaf.key)
    if !pins.isEmpty {
      return pins.contains(digest)
        ? nil
        : CertificateFault(
          reason: "the server's key differs from the pinned key",
          hint: "its key is \(digest): ask the operator of the server before you change `pin` under `tls`")
    }
    if insecure { return nil }
    guard let reason = Self.weakness(of: leaf) else { return nil }
    return CertificateFault(
      reason: reason,
      hint: "renew the certificate; or, once the server's operator has confirmed this key, accept only it:"
        + " \"tls\": {\"pin\": \"\(digest)\"}")
  }

  private static func weakness(of leaf: LeafCertificate) -> String? {
    if !leaf.hasAlternativeNames { return "the certificate has no host in its subject alternative names" }
    if leaf.signature == .broken { return "the certificate is signed with SHA-1 or an older digest" }
    if let bits = leaf.rsaBits, bits < 2048 { return "the certificate has an RSA key of \(bits) bits, fewer than 2048" }
    return nil
  }
}
