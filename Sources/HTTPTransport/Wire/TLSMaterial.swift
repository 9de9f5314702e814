import BackendKit
import BackendTransport
import CCurl
import Files

/// The settings of secure connections, with the files that they name read and checked.
struct TLSMaterial: Sendable {
  private var authorities: [UInt8]?
  private var certificate: [UInt8]?
  private var key: [UInt8]?
  private let verifies: Bool
  private let pins: String
  let settings: TLSSettings

  /// Reads the files; throws `misconfigured` with the one that cannot be used.
  init(_ settings: TLSSettings) throws(BackendError) {
    self.settings = settings
    // For a pinned server its key is compared instead; the handshake proves that it has the key.
    verifies = !settings.insecure && settings.pins.isEmpty
    pins = settings.pins.sorted().compactMap { PEM.base64($0).map { "sha256//\($0)" } }.joined(separator: ";")
    authorities = try settings.read(settings.ca, "authorities", "CERTIFICATE")
    certificate = try settings.read(settings.cert, "certificate", "CERTIFICATE")
    key = try settings.read(settings.key, "key", "PRIVATE KEY")
  }

  func prepare(_ handle: UnsafeMutableRawPointer) -> Bool {
    var isSet = true
    func number(_ option: CURLoption, _ number: Int64) { isSet = cc_set_number(handle, option, number) && isSet }
    func bytes(_ option: CURLoption, _ bytes: [UInt8]?) {
      if let bytes { isSet = cc_set_bytes(handle, option, bytes, bytes.count) && isSet }
    }
    number(CURLOPT_SSLVERSION, 6)  // TLS 1.2 or later
    number(CURLOPT_CERTINFO, 1)
    number(CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
    number(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
    bytes(CURLOPT_CAINFO_BLOB, authorities)
    bytes(CURLOPT_SSLCERT_BLOB, certificate)
    bytes(CURLOPT_SSLKEY_BLOB, key)
    if !verifies { isSet = cc_set_text(handle, CURLOPT_SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0") && isSet }
    if !pins.isEmpty { isSet = cc_set_text(handle, CURLOPT_PINNEDPUBLICKEY, pins) && isSet }
    return isSet
  }
}

extension TLSSettings {
  /// Throws `misconfigured` unless there are both certificate and key, or neither.
  func check() throws(BackendError) {
    guard (cert == nil) == (key == nil) else {
      throw .misconfigured(
        "the TLS settings have a \(cert == nil ? "key without a certificate" : "certificate without a key")",
        hint: "set both `cert` and `key`")
    }
  }

  /// The content of a file with a block of this kind.
  fileprivate func read(_ path: String?, _ what: String, _ label: String) throws(BackendError) -> [UInt8]? {
    guard let path else { return nil }
    var bytes: [UInt8] = []
    let cause: String
    do throws(FileFailure) {
      bytes = try content(of: path)
      let blocks = PEM.blocks(bytes).filter { $0.label.hasSuffix(label) }
      let isEncrypted = String(decoding: bytes, as: UTF8.self).contains(text: "ENCRYPTED")
      let isReadable = blocks.allSatisfy {
        label == "CERTIFICATE" ? LeafCertificate(der: $0.der) != nil : !$0.der.isEmpty
      }
      if !isEncrypted, isReadable, !blocks.isEmpty { return bytes }
      cause = "no block of \(label)"
    } catch {
      cause = "\(error)"
    }
    let isEncrypted = String(decoding: bytes, as: UTF8.self).contains(text: "ENCRYPTED")
    throw BackendError(
      .misconfigured, "cannot read the TLS \(what) in \(path)\(isEncrypted ? ": it is encrypted" : "")",
      effect: .notSent,
      hint: isEncrypted
        ? "name a file with the decrypted key: openssl pkey -in \(path)"
        : "the file must exist and contain PEM text", cause: cause)
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
