import BackendKit
package import ConsoleSystem

extension Word {
  /// The complaint about a word that begins with a lookalike of a dash or quote, or contains a blank that does not
  /// separate words; nil for any other word. Quoted texts, inserted values and values of assignments may have them.
  /// `options` are candidates for corrections; `isValue` is true for the value of an option.
  package func lookAlike(of options: [OptionSyntax] = [], isValue: Bool = false) -> UsageError? {
    // The common case.
    guard text.utf8.contains(where: { $0 > 0x7F }), !startsQuoted || isVerbatim, !isInserted(0),
      let first = text.unicodeScalars.first
    else { return nil }
    let shown = String(text.prefix { $0 != "=" && !$0.isWhitespace })
    if first.isDashLookAlike {
      let remedy = isValue ? "in quotes it is text" : "after -- or in quotes it is text"
      return .dash(first, in: shown, hint: "write \(meant(by: shown, options, isValue)); \(remedy)", column: column)
    }
    if first.isQuoteLookAlike { return .quote(first, in: shown, column: column) }
    // A text of several words was quoted for a shell.
    if isValue || isQuoted || !insertions.isEmpty || text.utf8.contains(UInt8(ascii: " ")) { return nil }
    return strayBlank.map { .blank($0, column: column) }
  }

  /// The intended spelling of a word with other dashes.
  private func meant(by shown: String, _ options: [OptionSyntax], _ isValue: Bool) -> String {
    let scalars = shown.unicodeScalars
    let name = String(String.UnicodeScalarView(scalars.drop { $0 == "-" || $0.isDashLookAlike }))
    func isSpelling(_ spelling: String) -> Bool { options.contains { $0.spellings.contains(spelling) } }
    // Editors turn two hyphens into one long dash.
    if name.isEmpty { return ["\u{2010}", "\u{2011}", "\u{2212}"].contains(shown) ? "-" : "--" }
    if isSpelling("--" + name) { return "--" + name }
    if isValue || isSpelling("-" + name) || (0x30...0x39).contains(name.utf8.first ?? 0) { return "-" + name }
    return "--" + (SpellingSuggestion.suggestion(for: name, among: options.map(\.name)) ?? name)
  }

  /// The first blank that was meant to separate words: one before any operator, or before a dash. In a value it is
  /// text.
  private var strayBlank: Unicode.Scalar? {
    var isInValue = false
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if let last, scalar == "-" || scalar.isDashLookAlike { return last }
      last = scalar.isBlankLookAlike || scalar.isInvisible ? scalar : nil
      if last != nil, !isInValue { return scalar }
      if OperatorSigns.alone.contains(scalar) { isInValue = true }
    }
    return nil
  }
}
