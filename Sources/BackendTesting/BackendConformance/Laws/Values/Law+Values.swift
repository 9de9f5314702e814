import BackendKit

extension Law {
  static let values: [Law] = texts + numbers + structures

  /// Laws about texts.
  private static let texts: [Law] = [
    text(
      "emoji", "characters made of several code points, and characters beyond 16 bits, are kept.",
      ["😀", "👨‍👩‍👧‍👦", "🇭🇷", "👍🏽", "𝔘𐍈"]),
    text(
      "combining marks", "two encodings of one character stay distinct: code points are kept.",
      ["é", "e\u{301}", "ﬁ", "Å", "\u{212B}", "a\u{308}\u{323}"]),
    text(
      "right-to-left text", "right-to-left text and its directional marks are kept.",
      ["שלום", "مرحبا 12", "\u{202E}abc\u{202C}"]),
    text(
      "control characters", "control characters are kept, refused, or named in a note.",
      ["a\u{1B}[31mb", "a\u{07}b", "a\u{7F}b", "a\u{85}b", "a\u{200B}b", "a\u{2028}b", "a\u{FEFF}b"]),
    text(
      "line breaks", "carriage returns, line feeds and tabs inside text are kept as they are.",
      ["a\rb", "a\nb", "a\r\nb", "a\tb"]),
    text("NUL", "a NUL is kept, refused, or named in a note, never silently dropped with what follows.", ["a\u{00}b"]),
    text(
      "markup", "text is not markup: nothing in it is removed or encoded.",
      ["<b>a</b> &amp; &lt;", "<script>alert(1)</script>", "a < b & c > d", "<!-- a -->"]),
    text(
      "quotes and backslashes", "characters that are special in JSON, SQL or a shell have no special meaning in text.",
      [#"a"b'c`d"#, #"\a\\b\n\u0041"#, "'; DROP TABLE a; --", "${a} %s %00 {{a}}", "a/b?c=d&e#f"]),
    text(
      "text like other values", "text that looks like another value remains text.",
      ["true", "null", "007", "1e3", "[]", "{}", "2026-01-02", "NaN"], exact: true),
    text(
      "surrounding white space", "leading and trailing white space is kept, or a note names the field.",
      ["a ", " a", "a\n", "\u{A0}a"]),
    text(
      "one megabyte of text", "text of a million bytes is stored in full or refused, never truncated.",
      [LawContext.longText(1_000_000)]),
    emptyText,
  ]

  /// A law about texts; where only the field with the mark holds texts, they stand behind the mark.
  private static func text(_ name: String, _ promise: String, _ texts: [String], exact: Bool = false) -> Law {
    Law(name, .values, promise) { context throws(CheckStop) in
      let length = texts.map(\.utf16.count).max() ?? 0
      // Records left behind would burden every later list.
      if length > 100_000 { try context.needs(.delete) }
      let probe = try await context.textProbe(length: length, exact: exact)
      return try await context.roundTrip(texts.map { .string(probe.prefix + $0) }, in: probe.field)
    }
  }

  private static let emptyText = Law(
    "empty string", .values,
    "an empty string in a new record stays empty, neither null nor missing, unless a note names the field."
  ) { context throws(CheckStop) in
    let probe = try await context.textProbe(length: 0, exact: true)
    return try await context.roundTrip([""], in: probe.field)
  }
}
