extension DemoJSON {
  /// The text without white space. Non-ASCII is not escaped; `/` is escaped only on request.
  func compact(escapingSlashes: Bool = false) -> String {
    var writer = JSONWriter(escapesSlashes: escapingSlashes, isIndented: false)
    writer.write(self)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// The text indented by two spaces, like JavaScript's `JSON.stringify(value, null, 2)`; no final newline.
  func indented() -> String {
    var writer = JSONWriter(escapesSlashes: false, isIndented: true)
    writer.write(self)
    return String(decoding: writer.output, as: UTF8.self)
  }
}

private struct JSONWriter {
  let escapesSlashes: Bool
  let isIndented: Bool
  var output: [UInt8] = []
  var level = 0

  mutating func write(_ value: DemoJSON) {
    switch value {
    case .null: output += "null".utf8
    case .bool(let flag): output += (flag ? "true" : "false").utf8
    case .number(let text): output += text.utf8
    case .string(let text): write(text)
    case .array(let elements): write(elements, open: "[", close: "]") { writer, element in writer.write(element) }
    case .object(let members):
      write(members, open: "{", close: "}") { writer, member in
        writer.write(member.key)
        writer.output.append(UInt8(ascii: ":"))
        if writer.isIndented { writer.output.append(UInt8(ascii: " ")) }
        writer.write(member.value)
      }
    }
  }

  mutating func write<Item>(
    _ items: [Item], open: Unicode.Scalar, close: Unicode.Scalar, _ writeItem: (inout JSONWriter, Item) -> Void
  ) {
    output.append(UInt8(ascii: open))
    level += 1
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      newline()
      writeItem(&self, item)
    }
    level -= 1
    if !items.isEmpty { newline() }
    output.append(UInt8(ascii: close))
  }

  mutating func newline() {
    guard isIndented else { return }
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: level * 2)
  }

  mutating func write(_ text: String) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      guard let first = bytes.baseAddress else { return }
      // Runs without escapes are copied at once: a debug build is slow for each byte.
      var (begin, index) = (0, 0)
      while index < bytes.count {
        let byte = first[index]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C || (byte == 0x2F && escapesSlashes) {
          output.append(contentsOf: UnsafeBufferPointer(start: first + begin, count: index - begin))
          escape(byte)
          begin = index + 1
        }
        index += 1
      }
      output.append(contentsOf: UnsafeBufferPointer(start: first + begin, count: index - begin))
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x08: output += #"\b"#.utf8
    case 0x09: output += #"\t"#.utf8
    case 0x0A: output += #"\n"#.utf8
    case 0x0C: output += #"\f"#.utf8
    case 0x0D: output += #"\r"#.utf8
    case ..<0x20:
      output += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
      output += String(byte, radix: 16).utf8
    default: output += [UInt8(ascii: "\\"), byte]
    }
  }
}
