import BackendKit
import BackendTransport

extension ServerCertificate {
  /// Reads the content of a certificate (RFC 5280); nil if it is not one.
  init?(der: [UInt8]) {
    var outer = DERReader(der[...])
    guard let leaf = LeafCertificate(der: der), var certificate = outer.next(.sequence)?.reader,
      var signed = certificate.next(.sequence)?.reader
    else { return nil }
    _ = signed.next(.version)
    // Serial number, algorithm, issuer, validity.
    for _ in 0..<4 { guard signed.next() != nil else { return nil } }
    guard let subject = signed.next(.sequence) else { return nil }
    var names: [String] = []
    while let element = signed.next() {
      guard element.tag == .extensions else { continue }
      var extensions = element.first(.sequence)?.reader
      while var parts = extensions?.next(.sequence)?.reader {
        guard parts.next(.identifier).map({ Array($0.content) }) == [0x55, 0x1D, 0x11] else { continue }
        var value = parts.next()
        // A flag for critical extensions may precede the value.
        while let found = value, found.number != 0x04 { value = parts.next() }
        var list = value?.first(.sequence)?.reader
        while let name = list?.next(), names.count < Self.mostNames {
          if let text = Self.name(name) { names.append(text) }
        }
      }
    }
    self.init(subject: Self.text(of: subject), names: names, digest: SHA256.hex(leaf.key))
  }

  private static let mostNames = 20

  /// A host name or an address among the alternative names.
  private static func name(_ element: DERReader.Element) -> String? {
    switch element.number {
    case 0x82: return String(decoding: element.content, as: UTF8.self)
    case 0x87 where element.content.count == 4: return element.content.map { "\($0)" }.joined(separator: ".")
    case 0x87: return element.content.map { String(hex: $0, digits: 2) }.joined()
    default: return nil
    }
  }

  /// A distinguished name, with the usual abbreviations.
  private static func text(of name: DERReader.Element) -> String {
    var sets = name.reader
    var parts: [String] = []
    while let set = sets.next() {
      var pair = set.first(.sequence)?.reader
      guard let identifier = pair?.next(.identifier), let value = pair?.next() else { continue }
      let letters: [[UInt8]: String] = [
        [0x55, 0x04, 0x03]: "CN", [0x55, 0x04, 0x06]: "C", [0x55, 0x04, 0x07]: "L", [0x55, 0x04, 0x0A]: "O",
        [0x55, 0x04, 0x0B]: "OU",
      ]
      guard let letter = letters[Array(identifier.content)] else { continue }
      parts.append("\(letter)=\(String(decoding: value.content.prefix(100), as: UTF8.self))")
    }
    return parts.isEmpty ? "no name" : parts.joined(separator: ", ")
  }
}
