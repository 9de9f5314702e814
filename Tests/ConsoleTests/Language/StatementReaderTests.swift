import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Statements")
struct StatementReaderTests {
  /// All statements of a script, and errors as lines that begin with `!`.
  private func read(_ bytes: [UInt8], chunk: Int) throws -> [String] {
    var reader = StatementReader()
    var found: [String] = []
    func drain() {
      while true {
        do throws(StatementError) {
          guard let statement = try reader.next() else { return }
          found.append("\(statement.line):\(statement.text)")
        } catch {
          found.append("!\(error.line):\(error.message)")
        }
      }
    }
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try reader.feed(bytes[start..<min(start + chunk, bytes.count)])
      drain()
    }
    reader.finish()
    drain()
    return found
  }

  @Test(
    "Lines become statements, however the bytes are cut",
    arguments: [
      ("", []), ("\n\n  \t\n# x\n  # y\n", []), ("list", ["1:list"]), ("list\r\nget 3\r\n", ["1:list", "2:get 3"]),
      ("\u{FEFF}list\n\u{FEFF}x", ["1:list", "2:\u{FEFF}x"]), ("\u{FEFF}", []), ("\u{FEFF}# x", []),
      ("a \\\n  b\nc", ["1:a   b", "3:c"]), ("a\\\r\nb\r\n", ["1:ab"]), ("a\\\\\nb", ["1:a\\\\", "2:b"]),
      ("a\\\\\\\nb", ["1:a\\\\b"]), ("# x \\\nlist", ["2:list"]), ("a \\\n# b\nc", ["1:a # b", "3:c"]),
      ("a\\", ["1:a\\"]), ("a\\\n", ["1:a"]), ("\\\n\\\nb", ["1:b"]), ("\\\n\nb", ["3:b"]),
      ("say 'open\nb\n' c\nd", ["1:say 'open\nb\n' c", "4:d"]),
      ("x\nsay \"open\r\n\r\nb", ["1:x", "2:say \"open\n\nb"]),
      ("m:={\n\"a\": [1,\n2]}\nb", ["1:m:={\n\"a\": [1,\n2]}", "4:b"]), ("!don't\nb", ["1:!don't", "2:b"]),
      ("list | sed 's\nb", ["1:list | sed 's", "2:b"]), ("日本\u{0}x\n", ["1:日本\u{0}x"]), ("a\rb\n", ["1:a\rb"]),
    ] as [(String, [String])], [1, 3, 1000])
  func lines(script: (String, [String]), chunk: Int) throws {
    #expect(try read(Array(script.0.utf8), chunk: chunk) == script.1)
  }

  @Test("Invalid UTF-8 is an error of its whole statement, with the line, and reading goes on", arguments: [1, 1000])
  func invalid(chunk: Int) throws {
    let script =
      Array("a\nb ".utf8) + [0xFF] + Array("\nc\nd \\\ne ".utf8) + [0xC3] + Array("\\\nf\ng ".utf8) + [0xE2, 0x82]
    #expect(
      try read(script, chunk: chunk) == [
        "1:a", "!2:the line is not valid UTF-8 at column 3", "3:c", "!5:the line is not valid UTF-8 at column 3",
        "!7:the line is not valid UTF-8 at column 3",
      ])
  }

  @Test("A comment that is not valid UTF-8 is passed over")
  func invalidComment() throws {
    #expect(try read(Array("# ".utf8) + [0xFF, 0x0A] + Array("a".utf8), chunk: 1000) == ["2:a"])
  }

  @Test("A statement is there as soon as its line end is")
  func atOnce() throws {
    var reader = StatementReader()
    try reader.feed("list\nge".utf8)
    #expect(try reader.next() == Statement(text: "list", line: 1))
    #expect(try reader.next() == nil)
    try reader.feed("t 3".utf8)
    #expect(try reader.next() == nil)
    try reader.feed("\n".utf8)
    #expect(try reader.next() == Statement(text: "get 3", line: 2))
    reader.finish()
    #expect(try reader.next() == nil)
  }

  @Test("Lines of a megabyte and many short ones cost linear time", .timeLimit(.minutes(10)))
  func long() throws {
    let line = String(repeating: "x", count: 1 << 20)
    #expect(try read(Array("\(line)\n\(line)".utf8), chunk: 4096) == ["1:" + line, "2:" + line])
    let many = Array(String(repeating: "get 17\n", count: 50_000).utf8)
    #expect(try read(many, chunk: 1 << 16).count == 50_000)
    #expect(try read(many, chunk: many.count).last == "50000:get 17")
  }

  @Test("A line without end is refused at the limit, with its number")
  func endless() throws {
    var reader = StatementReader()
    try reader.feed("list\n".utf8)
    #expect(try reader.next() != nil)
    let block = [UInt8](repeating: 0x78, count: StatementReader.limit / 2)
    try reader.feed(block)
    #expect(try reader.next() == nil)
    try reader.feed(block)
    #expect(throws: UsageError("line 2 is longer than 64 MiB")) { try reader.feed([0x78]) }
  }
}
