import BackendKit
import Testing

@testable import ServiceDescription

@Suite struct YAMLReaderTests {
  private func value(_ text: String) throws -> Value {
    try DescriptionText.read(Array(text.utf8), file: "a.yaml").value
  }

  private func mistake(_ text: String) -> String {
    do {
      _ = try DescriptionText.read(Array(text.utf8), file: "a.yaml")
      return ""
    } catch { return "\(error)" }
  }

  @Test func `plain scalars are what the core schema of YAML 1_2 says`() throws {
    let text = """
      texts: [no, yes, on, off, y, 1_000, 12:30, 2001-12-14, 0o8, 0xG, +, ., 1e, "true", '1', .5.]
      numbers: [12, -3, 0o17, 0xff, 1.10, 1e3, 9007199254740993, 1.5E-2, -0]
      odd: [+1, 007, .5, 1., -.5]
      others: [true, False, null, ~, Null]
      empty:
      """
    #expect(
      try value(text) == [
        "texts": [
          "no", "yes", "on", "off", "y", "1_000", "12:30", "2001-12-14", "0o8", "0xG", "+", ".", "1e", "true", "1",
          ".5.",
        ],
        "numbers": .array(
          ["12", "-3", "15", "255", "1.10", "1e3", "9007199254740993", "1.5e-2", "-0"].map {
            Number($0).map(Value.number) ?? nil
          }
        ),
        "odd": .array(["1", "7", "0.5", "1", "-0.5"].map { Number($0).map(Value.number) ?? nil }),
        "others": [true, false, nil, nil, nil], "empty": nil,
      ])
  }

  @Test func `places are those of the text, and the keys lead to them`() throws {
    let text = "a:\n  - b: ünï\n    c: [1, {d: 2}]\n"
    let node = try DescriptionText.read(Array(text.utf8), file: "a.yaml")
    guard case .list(let list)? = node["a"]?.content, case .list(let inner)? = list[0]["c"]?.content else {
      Issue.record("no list")
      return
    }
    #expect(inner[1]["d"]?.place == Place(file: "a.yaml", line: 3, column: 16, path: ["a", "0", "c", "1", "d"]))
    #expect(list[0].members?.last?.place == Place(file: "a.yaml", line: 3, column: 5, path: ["a", "0", "c"]))
  }

  @Test func `JSON gives the same tree with the same places`() throws {
    let text = "{\"a\": [{\"b\": \"x\",\n  \"c\": [1, {\"d\": 2.50}]}]}"
    let json = try DescriptionText.read(Array(text.utf8), file: "a.json")
    let yaml = try DescriptionText.read(Array(text.utf8), file: "a.yaml")
    #expect(json.value == yaml.value)
    #expect(json["a"]?.place.column == yaml["a"]?.place.column)
    #expect(json.members?.first?.place.line == yaml.members?.first?.place.line)
  }

  @Test func `anchors are written out`() throws {
    #expect(try value("a: &x {b: 1}\nc: *x\nd: [*x]\n") == ["a": ["b": 1], "c": ["b": 1], "d": [["b": 1]]])
  }

  @Test(
    "what is not allowed is reported with its place",
    arguments: [
      ("a: 1\nb: 2\na: 3\n", "a.yaml:3: a: duplicate key; first defined on line 1"),
      ("a: !!str 1\n", "a.yaml:1: a: a tag (!) cannot be used here"),
      ("a: !ruby/object {}\n", "a.yaml:1: a: a tag (!) cannot be used here"),
      ("? [1]\n: 2\n", "a.yaml:1: a key must be text"),
      ("a: *b\n", "a.yaml:1: a: the anchor &b is not defined before this"),
      ("a: &b [*b]\n", "a.yaml:1: a.0: the anchor &b is not defined before this"),
      ("a: 1\n---\nb: 2\n", "a.yaml:2: a second document begins here"),
      ("a:\n\tb: 1\n", "a.yaml:2: this is not YAML"),
      ("a: [1, 2\n", "this is not YAML"),
      ("a: .inf\n", "a.yaml:1: a: .inf is not a number that can be sent"),
      ("a: 0xFFFFFFFFFFFFFFFFF\n", "a.yaml:1: a: 0xFFFFFFFFFFFFFFFFF has more than 64 bits"),
    ])
  func refused(_ text: String, _ words: String) { #expect(mistake(text).contains(words), "\(mistake(text))") }

  @Test func `hostile texts end at a limit`() throws {
    #expect(mistake(String(repeating: "[", count: 5_000)).contains("nested more than 100 levels deep"))
    let stairs = (0..<101).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
    #expect(mistake(stairs).contains("nested more than 100 levels deep"))
    let laughs =
      "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
      + (1..<9).map { level in
        "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",") + "]\n"
      }.joined()
    #expect(mistake(laughs).contains("there are more than 200000 values"), "\(mistake(laughs))")
    let aliases = "a: &a 1\nb: [" + Array(repeating: "*a", count: 101).joined(separator: ",") + "]\n"
    #expect(mistake(aliases).contains("there are more than 100 aliases"))
    let deep = (0..<20).reduce("a0: &a0 [x]\n") { text, level in
      text + "a\(level + 1): &a\(level + 1) [[[[[[*a\(level)]]]]]]\n"
    }
    #expect(mistake(deep).contains("nested more than 100 levels deep"))
    #expect(mistake("a: " + String(repeating: "x", count: 4 << 20)).contains("it is longer than 4 MiB"))
    #expect(mistake("a: \u{0}").contains("this is not YAML"))
    let invalid = try? DescriptionText.read([0x61, 0x3A, 0x20, 0xFF, 0xFE], file: "a.yaml")
    #expect(invalid == nil)
  }
}
