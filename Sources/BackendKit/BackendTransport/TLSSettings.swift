/// The settings of a secure connection. By default, certificate and host name are checked against the system's
/// authorities; the certificate must list its hosts as alternative names, and use algorithms that are still secure.
public struct TLSSettings: Sendable, Hashable {
  /// The file with the authorities to trust instead of the system's, in PEM form.
  public var ca: String?
  /// The client certificate file in PEM form, followed by its chain.
  public var cert: String?
  /// The file with the key of that certificate, in PEM form.
  public var key: String?
  /// True to accept any certificate.
  public var insecure: Bool
  /// The contents of files that were read and checked already, by path; any other file is read.
  public var files: [String: [UInt8]] = [:]
  /// SHA-256 digests of public keys (the `SubjectPublicKeyInfo` in DER form), as 64 lowercase hexadecimal digits. If
  /// there are any, a server is accepted only if it has one of these keys, and then whatever its certificate contains.
  public var pins: Set<String>

  /// Settings.
  public init(
    ca: String? = nil, cert: String? = nil, key: String? = nil, insecure: Bool = false, pins: Set<String> = []
  ) {
    self.ca = ca
    self.cert = cert
    self.key = key
    self.insecure = insecure
    self.pins = pins
  }
}
