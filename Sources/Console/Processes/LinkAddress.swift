/// An address that may be handed to the desktop.
struct LinkAddress: Hashable, Sendable {
  let text: String

  /// The address; throws where it is of another kind than those that only show something.
  init(_ text: String) throws(UsageError) {
    let shown = Visible.text(text)
    let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0].lowercased()
    guard text.utf8.contains(UInt8(ascii: ":")), ["http", "https", "mailto"].contains(scheme) else {
      throw UsageError("\"\(shown)\" is not opened", hint: "only http, https and mailto addresses are")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw UsageError("\"\(shown)\" is not opened", hint: "it holds blanks or control characters")
    }
    self.text = text
  }
}
