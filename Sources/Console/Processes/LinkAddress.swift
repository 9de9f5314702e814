import BackendKit

/// An address that may be handed to the desktop: one that only shows something.
struct LinkAddress: Hashable, Sendable {
  let text: String

  /// The address; throws where it is of another kind, or where a program that gets it could take it for more than an address.
  init(_ text: String) throws(UsageError) {
    let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0].lowercased()
    guard text.utf8.contains(UInt8(ascii: ":")), ["http", "https", "mailto"].contains(scheme) else {
      throw UsageError("\"\(text)\" cannot be opened", hint: "only http, https and mailto addresses can be")
    }
    guard Visible.text(text) == text, text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace }) else {
      throw UsageError(
        "\"\(text)\" cannot be opened", hint: "it contains spaces, control characters or invisible characters")
    }
    let rest = text.dropFirst(scheme.count + 1)
    if scheme == "mailto" {
      // A mail program takes parameters for orders: to attach a file, to add header fields.
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

  /// The address of a page that the console has written.
  init(_ page: PrivatePage) {
    text = "file://" + page.path.split(separator: "/").map { "/" + PercentEncoding.encode(String($0)) }.joined()
  }
}
