/// The contents of a server's certificate, for a person to decide whether this is the right server. Nothing was
/// verified except that the server has its key.
public struct ServerCertificate: Sendable, Hashable {
  /// The subject as written: `CN=pve, O=Proxmox`.
  public var subject: String
  /// The host names and addresses for which it was issued.
  public var names: [String]
  /// The SHA-256 digest of its public key, in the form of ``TLSSettings/pins``.
  public var digest: String

  /// Creates the contents of a certificate.
  public init(subject: String, names: [String], digest: String) {
    (self.subject, self.names, self.digest) = (subject, names, digest)
  }
}
