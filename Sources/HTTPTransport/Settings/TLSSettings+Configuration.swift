import BackendKit
import BackendTransport
import Files
import NIOSSL

extension TLSSettings {
  /// The settings as the TLS library takes them; reads the files named.
  func configuration() throws(BackendError) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    // Which key a pinned server has is looked at before anything is sent; that it has the key, the handshake proves.
    if insecure || !pins.isEmpty { configuration.certificateVerification = .none }
    if let ca {
      let authorities = try read(ca, "authorities") { try NIOSSLCertificate.fromPEMBytes($0) }
      configuration.trustRoots = .certificates(authorities)
    }
    if let cert {
      let chain = try read(cert, "certificate") { try NIOSSLCertificate.fromPEMBytes($0) }
      configuration.certificateChain = chain.map { .certificate($0) }
    }
    if let key {
      let privateKey = try read(key, "key") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
      configuration.privateKey = .privateKey(privateKey)
    }
    return configuration
  }

  /// Throws `misconfigured` where certificate and key do not come together.
  func check() throws(BackendError) {
    guard (cert == nil) == (key == nil) else {
      throw BackendError(
        .misconfigured,
        "the TLS settings have a \(cert == nil ? "key without a certificate" : "certificate without a key")",
        effect: .notSent, hint: "set both `cert` and `key`")
    }
  }

  private func read<Result>(
    _ path: String, _ what: String, _ body: ([UInt8]) throws -> Result
  ) throws(BackendError) -> Result {
    var bytes: [UInt8] = []
    do {
      bytes = try content(of: path)
      return try body(bytes)
    } catch {
      let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
      throw BackendError(
        .misconfigured, "cannot read the TLS \(what) in \(path)\(isEncrypted ? ": it is encrypted" : "")",
        effect: .notSent,
        hint: isEncrypted
          ? "name a file with the decrypted key: openssl pkey -in \(path)"
          : "the file must exist and contain PEM text", cause: "\(error)")
    }
  }

  private func content(of path: String) throws(FileFailure) -> [UInt8] {
    if let content = files[path] { return content }
    switch OwnedFile.read(path) {
    case nil: throw FileFailure("it does not exist")
    case .failure(let failure): throw failure
    case .success(let file): return file.bytes
    }
  }
}
