import BackendKit
package import ConsoleSystem

/// An address that may be passed to the desktop: one that only shows something.
package struct LinkAddress: Hashable, Sendable {
  package let text: String

  /// The address; throws for other kinds, and if a program could take it for more than an address. One that begins with
  /// a host, without a scheme, is completed as in a browser: https.
  package init(_ given: String) throws(UsageError) {
    let text = Self.withScheme(given)
    let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0].lowercased()
    guard text.utf8.contains(UInt8(ascii: ":")), ["http", "https", "mailto"].contains(scheme) else {
      throw UsageError("\"\(text)\" cannot be opened", hint: "only http, https and mailto addresses can be opened")
    }
    guard Escaping.text(text) == text, text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace }) else {
      throw UsageError(
        "\"\(text)\" cannot be opened", hint: "it contains spaces, control characters or invisible characters")
    }
    let rest = text.dropFirst(scheme.count + 1)
    if scheme == "mailto" {
      // A mail program takes parameters as instructions: to attach a file, to add header fields.
      guard !rest.isEmpty, rest.allSatisfy({ $0.isLetter || $0.isNumber || "@.,_+-".contains($0) }) else {
        throw UsageError("\"\(text)\" cannot be opened", hint: "mailto addresses can be opened only without parameters")
      }
    } else {
      guard rest.hasPrefix("//"), let host = rest.dropFirst(2).first, !"/?#".contains(host) else {
        throw UsageError("\"\(text)\" cannot be opened", hint: "the address has no host")
      }
    }
    self.text = text
  }

  /// The address of a page written by the console, by its path.
  package init(ofOwnPage path: String) {
    text = "file://" + path.split(separator: "/").map { "/" + PercentEncoding.encode(String($0)) }.joined()
  }

  /// The address with its omitted scheme; anything else, including files and fragments, is unchanged.
  private static func withScheme(_ text: String) -> String {
    if text.hasPrefix("//") { return "https:" + text }
    let host = text.prefix { !"/?#:".contains($0) }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isHost =
      labels.count > 1 && (labels.last?.count ?? 0) > 1 && labels.last?.allSatisfy(\.isLetter) == true
      && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
    guard isHost, !host.hasPrefix("-") else { return text }
    let rest = text.dropFirst(host.count)
    guard rest.first == ":" else { return "https://" + text }
    let port = rest.dropFirst().prefix { !"/?#".contains($0) }
    return !port.isEmpty && port.allSatisfy(\.isNumber) ? "https://" + text : text
  }
}
