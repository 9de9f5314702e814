import BackendKit

extension Law {
  static let values: [Law] =
    [
      Law(
        "text is preserved", .values,
        "text of any characters is kept as it is, refused, or named in a note: emoji, combining marks, right-to-left"
          + " text, control characters, line breaks, NUL, markup, quotes, text that looks like another value, leading and"
          + " trailing white space, a million bytes, and the empty string.",
        parts: texts)
    ] + numbers + structures

  private static let texts: [Part] = [
    text("emoji", ["😀", "👨‍👩‍👧‍👦", "🇭🇷", "👍🏽", "𝔘𐍈"]),
    text("combining marks", ["é", "e\u{301}", "ﬁ", "Å", "\u{212B}", "a\u{308}\u{323}"]),
    text("right-to-left text", ["שלום", "مرحبا 12", "\u{202E}abc\u{202C}"]),
    text(
      "control characters",
      ["a\u{1B}[31mb", "a\u{07}b", "a\u{7F}b", "a\u{85}b", "a\u{200B}b", "a\u{2028}b", "a\u{FEFF}b"]),
    text("line breaks", ["a\rb", "a\nb", "a\r\nb", "a\tb"]),
    text("NUL", ["a\u{00}b"]),
    text("markup", ["<b>a</b> &amp; &lt;", "<script>alert(1)</script>", "a < b & c > d", "<!-- a -->"]),
    text(
      "quotes and backslashes",
      [#"a"b'c`d"#, #"\a\\b\n\u0041"#, "'; DROP TABLE a; --", "${a} %s %00 {{a}}", "a/b?c=d&e#f"]),
    text("text like other values", ["true", "null", "007", "1e3", "[]", "{}", "2026-01-02", "NaN"], exact: true),
    text("surrounding white space", ["a ", " a", "a\n", "\u{A0}a"]),
    text("one megabyte of text", [longText(1_000_000)]),
    text("empty string", [""], exact: true),
  ]

  /// Texts in a field; after the mark, if only the marked field accepts texts.
  private static func text(_ name: String, _ texts: [String], exact: Bool = false) -> Part {
    Part(name) { context throws(CheckStop) in
      let length = texts.map(\.utf16.count).max() ?? 0
      // Records that cannot be removed would burden every later list.
      if length > 100_000 { try context.needs(.delete) }
      let probe = try await context.fields.textProbe(length: length, exact: exact)
      try await context.values.roundTrip([(probe.field, texts.map { .string(probe.prefix + $0) })])
    }
  }

  /// A text that hardly compresses: a transport may take a response that expands a thousandfold for an attack.
  private static func longText(_ count: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var random = SeededGenerator(seed: 1)
    return String(decoding: (0..<count).map { _ in letters[Int(random.next() >> 58)] }, as: UTF8.self)
  }
}
