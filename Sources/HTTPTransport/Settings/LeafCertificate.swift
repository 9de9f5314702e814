/// The parts of a server's certificate that are checked here (RFC 5280); the TLS library verifies the rest.
struct LeafCertificate {
  /// The security of the certificate's signature algorithm.
  enum Signature: Hashable { case sound, broken }

  /// The public key as `SubjectPublicKeyInfo` in DER form.
  let key: [UInt8]
  /// The size of an RSA key in bits; nil for other kinds.
  let rsaBits: Int?
  /// True if the certificate has alternative names, which are then the only hosts.
  let hasAlternativeNames: Bool
  let signature: Signature
  /// The first and the last second of its validity, as `YYYYMMDDHHMMSS`; empty if malformed.
  let validFrom: String
  let validTo: String

  /// Reads a certificate; nil if it is not one.
  init?(der: [UInt8]) {
    var outer = DERReader(der[...])
    guard var certificate = outer.next(.sequence)?.reader, var signed = certificate.next(.sequence)?.reader,
      let algorithm = certificate.next(.sequence)
    else { return nil }
    _ = signed.next(.version)
    // Serial number, algorithm, issuer.
    for _ in 0..<3 { guard signed.next() != nil else { return nil } }
    guard var validity = signed.next(.sequence)?.reader else { return nil }
    (validFrom, validTo) = (Self.moment(validity.next()), Self.moment(validity.next()))
    // The subject.
    guard signed.next() != nil, let info = signed.next(.sequence) else { return nil }
    key = Array(info.whole)
    rsaBits = Self.rsaBits(info.reader)
    signature = Self.signature(algorithm.reader)
    var hasNames = false
    while let element = signed.next() {
      guard element.tag == .extensions else { continue }
      var extensions = element.first(.sequence)?.reader
      while let identifier = extensions?.next(.sequence)?.first(.identifier) {
        if Array(identifier.content) == OID.alternativeNames { hasNames = true }
      }
    }
    hasAlternativeNames = hasNames
  }

  /// Returns the reason why it is not valid at a moment, in the form of `validFrom`; nil if it is.
  func fault(at now: String) -> String? {
    if !validTo.isEmpty, validTo < now { return "the certificate expired on \(Self.day(validTo))" }
    if validFrom > now { return "the certificate is not valid before \(Self.day(validFrom))" }
    return nil
  }

  private static func day(_ moment: String) -> String {
    let digits = Array(moment)
    return String(digits[0..<4] + ["-"] + digits[4..<6] + ["-"] + digits[6..<8])
  }

  private static func moment(_ element: DERReader.Element?) -> String {
    var text = String(decoding: element?.content ?? [], as: UTF8.self)
    guard text.hasSuffix("Z") else { return "" }
    text.removeLast()
    // A two-digit year is one from 1950 to 2049.
    if element?.number == 0x17 { text = (text < "5" ? "20" : "19") + text }
    return text.utf8.count == 14 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : ""
  }

  private static func rsaBits(_ info: DERReader) -> Int? {
    var info = info
    guard info.next(.sequence)?.first(.identifier).map({ Array($0.content) }) == OID.rsa,
      let bits = info.next(.bits)?.content
    else { return nil }
    // The first byte is the number of unused bits in the last one.
    var key = DERReader(bits.dropFirst())
    guard let modulus = key.next(.sequence)?.first(.integer)?.content.drop(while: { $0 == 0 }) else { return 0 }
    return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
  }

  private static func signature(_ algorithm: DERReader) -> Signature {
    var algorithm = algorithm
    guard let identifier = algorithm.next(.identifier).map({ Array($0.content) }) else { return .broken }
    if OID.broken.contains(identifier) { return .broken }
    guard identifier == OID.rsaPSS else { return .sound }
    // Without a digest in its parameters it is SHA-1.
    guard
      let digest = algorithm.next(.sequence)?.first(.version)?.first(.sequence)?.first(.identifier)
    else { return .broken }
    return Array(digest.content) == OID.sha1 ? .broken : .sound
  }

  private enum OID {
    static let alternativeNames: [UInt8] = [0x55, 0x1D, 0x11]
    static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let rsaPSS: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]
    static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    /// Signatures over MD2, MD4, MD5 and SHA-1.
    static let broken: [[UInt8]] =
      [2, 3, 4, 5].map { [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, $0] } + [
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01], [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x03],
        [0x2B, 0x0E, 0x03, 0x02, 0x1D],
      ]
  }
}

/// Reads elements of ASN.1 in distinguished encoding.
struct DERReader {
  /// The kinds of elements needed to read a certificate.
  enum Tag: UInt8 {
    case integer = 0x02, bits = 0x03, identifier = 0x06, sequence = 0x30, version = 0xA0, extensions = 0xA3
  }

  struct Element {
    let tag: Tag?
    /// The encoded kind, even one without a name here.
    var number: UInt8? { whole.first }
    let content: ArraySlice<UInt8>
    let whole: ArraySlice<UInt8>

    var reader: DERReader { DERReader(content) }

    /// The first nested element, if it is of this kind.
    func first(_ tag: Tag) -> Element? {
      var reader = reader
      return reader.next(tag)
    }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next element if it is of this kind; otherwise it is not consumed.
  mutating func next(_ tag: Tag) -> Element? { rest.first == tag.rawValue ? next() : nil }

  /// The next element; nil at the end or if truncated.
  mutating func next() -> Element? {
    let start = rest
    guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      guard (0x81...0x84).contains(first), rest.count >= Int(first & 0x7F) else { return nil }
      length = rest.prefix(Int(first & 0x7F)).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(Int(first & 0x7F))
    }
    guard rest.count >= length else { return nil }
    let content = rest.prefix(length)
    rest = rest.dropFirst(length)
    return Element(tag: Tag(rawValue: tag), content: content, whole: start.prefix(start.count - rest.count))
  }
}
