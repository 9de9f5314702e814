import BackendKit

/// The addresses in a page that shows a service's document to people.
struct ViewerPage {
  private(set) var documents: [String] = []
  /// The addresses of scripts that may contain one.
  private(set) var scripts: [String] = []

  /// The texts before the address of a document, in lowercase without whitespace.
  private static let marks = ["spec-url=", "url:", "\"url\":", "'url':", "data-url=", "apidescriptionurl="]

  init(_ text: String) {
    let bytes = Array(text.utf8.prefix(Self.mostBytes))
    for quote in bytes.indices where bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'") {
      let rest = bytes[(quote + 1)...].prefix(Self.mostOfAddress)
      guard let end = rest.firstIndex(of: bytes[quote]) else { continue }
      let before = String(decoding: bytes[max(quote - 24, 0)..<quote], as: UTF8.self).lowercased()
        .filter { !$0.isWhitespace }
      let text = String(decoding: bytes[(quote + 1)..<end], as: UTF8.self)
      let address = text.hasPrefix("./") ? String(text.dropFirst(2)) : text
      guard Self.isAddress(address) else { continue }
      if Self.marks.contains(where: before.hasSuffix), documents.count < Self.most { documents.append(address) }
      if before.hasSuffix("src="), address.lowercased().contains(text: "init"), scripts.count < Self.most {
        scripts.append(address)
      }
    }
  }

  private static let mostBytes = 256 << 10
  private static let mostOfAddress = 300
  private static let most = 4

  private static func isAddress(_ text: String) -> Bool {
    !text.isEmpty && !text.contains(" ") && !text.contains("<") && (text.contains("/") || text.contains("."))
  }
}
