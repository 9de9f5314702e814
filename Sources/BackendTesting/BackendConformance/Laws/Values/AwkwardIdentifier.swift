import BackendKit

/// An identifier that careless adapters confuse with another one, or with none.
struct AwkwardIdentifier: Sendable {
  /// The kind of trouble, named like the part that tests it.
  enum Trouble: String, Sendable, CaseIterable {
    case nothing = "empty identifier"
    case dots = "dots in identifiers"
    case slashes = "slashes in identifiers"
    case marks = "URL characters in identifiers"
    case space = "white space in identifiers"
    case spelling = "number formats in identifiers"
    case letterCase = "case-sensitive identifiers"
    case unicode = "Unicode in identifiers"
    case length = "long identifiers"
    case wildcards = "wildcards in identifiers"
  }

  let trouble: Trouble
  let id: RecordID
  /// True if it can only be confused with the suite's own record from which it was derived.
  var meansOwn = false

  static func all(of form: IdentifierRule.Form, beside own: RecordID) -> [AwkwardIdentifier] {
    Trouble.allCases.flatMap { all($0, of: form, beside: own) }
  }

  static func all(
    _ trouble: Trouble, of form: IdentifierRule.Form, beside own: RecordID
  ) -> [AwkwardIdentifier] {
    let foreign = texts(trouble).map { AwkwardIdentifier(trouble: trouble, id: RecordID($0)) }
    let spellings = ownSpellings(trouble, form, own.text).filter { $0 != own.text }
    return foreign + spellings.map { AwkwardIdentifier(trouble: trouble, id: RecordID($0), meansOwn: true) }
  }

  private static func texts(_ trouble: Trouble) -> [String] {
    switch trouble {
    case .nothing: [""]
    case .dots: [".", "..", "%2e%2e"]
    case .slashes: ["/", "%2F", "a/b", "a%2Fb", "\\", "../a"]
    case .marks: ["?", "#", "&", "a?b=c", "a#b", "a&b=c", ";a=b", "=", "%", "%zz", "+"]
    case .space: [" ", "\t", "\n", "\r\n", "\u{00}", "\u{A0}", "a\nb"]
    case .spelling: ["-1", "9223372036854775808", "1e0", "0x1", "١"]
    case .letterCase: []
    case .unicode: ["é", "e\u{301}", "飞机", "😀", "\u{202E}a"]
    case .length: [String(repeating: "7", count: 300), String(repeating: "a", count: 300)]
    case .wildcards: ["*", "%", "_", "all", "null", "a,b", "' OR '1'='1", "{}", "[]", "true"]
    }
  }

  /// Variants of an identifier that no record has.
  private static func ownSpellings(_ trouble: Trouble, _ form: IdentifierRule.Form, _ own: String) -> [String] {
    switch trouble {
    case .dots: [own + "."]
    case .slashes: [own + "/", "/" + own, own + "%2F", "./" + own, own + "/."]
    case .marks: [own + "?", own + "#", own + "&", own + "?a=b", own + "#a", own + ";a", own + "%20"]
    case .space: [" " + own, own + " ", own + "\n", "\t" + own, own + "\u{00}"]
    case .spelling:
      Int(own) == nil ? [] : ["0" + own, "+" + own, own + ".0", own + "e0", "00" + own]
    case .letterCase: [own.uppercased(), own.lowercased(), own.inOtherCase]
    case .unicode: [own + "\u{200B}", "\u{FEFF}" + own, fullWidth(own)]
    case .length: [own + String(repeating: "0", count: 300 - min(300, own.utf8.count))]
    case .nothing, .wildcards: []
    }
  }

  /// The text in fullwidth characters, which some servers normalize.
  private static func fullWidth(_ text: String) -> String {
    let wide = text.unicodeScalars.map { scalar in
      (0x21...0x7E).contains(scalar.value) ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar
    }
    return String(String.UnicodeScalarView(wide))
  }
}
