import ConsoleSupport
import DemoServerSupport
import Foundation
import FoundationXML
import Testing

/// `--report` and `--summary`: what harnesses read of a script.
@Suite("Reports of scripts") struct ScriptReportTests {
  /// A test case of a JUnit report as a parser of XML reads it.
  struct TestCase: Equatable {
    var name: String
    var kind = "held"
    var message = ""
    var details = ""
  }

  /// Takes a JUnit report apart; anything that is no well-formed XML is an error.
  final class JUnit: NSObject, XMLParserDelegate {
    private(set) var suite: [String: String] = [:]
    private(set) var cases: [TestCase] = []
    private(set) var note = ""
    private(set) var figures: [String: String] = [:]
    private var path: [String] = []

    init(_ text: String) throws {
      super.init()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = self
      guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      path.append(element)
      switch element {
      case "testsuite": suite = attributes
      case "property": figures[attributes["name"] ?? ""] = attributes["value"]
      case "testcase": cases.append(TestCase(name: attributes["name"] ?? ""))
      case "failure", "error":
        cases[cases.count - 1].kind = element
        cases[cases.count - 1].message = attributes["message"] ?? ""
      default: break
      }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      switch path.last {
      case "failure", "error": cases[cases.count - 1].details += text
      case "system-out": note += text
      default: break
      }
    }

    func parser(
      _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) { path.removeLast() }
  }

  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ script: String, _ arguments: String...) async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", ConsoleTerminal.config] + arguments, input: script.isEmpty ? "" : script + "\n", in: home)
  }

  private static let mixed = """
    capture r = create title="<b a='1'>&amp; \\"x\\"" body="a\\nb\\u{1}\\u{1B}]0;\\\\"
    expect $r.title ~ "<b"
    expect $r.body = "a"
    try
      expect 1 = 2
    end
    if $r.id > 0
        expect (list title="no # \\"<&>\\" \\\\") >= 3
    end
    get 99
    get 99
    expect error notFound
    expect $r.title.count > 3
    """

  @Test("TAP: a line for each expectation and each failure, with what was expected and found") func tap() async throws {
    let run = try await run(Self.mixed, "--report", "tap", "--on-error", "continue")
    #expect(run.status == 1)
    #expect(
      run.output
        == ##"""
        TAP version 14
        1..6
        ok 1 - stdin:2: expect $r.title ~ "<b"
        not ok 2 - stdin:3: expect $r.body = "a"
          ---
          message: "expected $r.body = \"a\", found \"a\\nb\\u0001\\u001b]0;\\\\\""
          expected: "$r.body = \"a\""
          actual: "\"a\\nb\\u0001\\u001b]0;\\\\\""
          ...
        not ok 3 - stdin:8: expect (list title="no \# \\"<&>\\" \\\\") >= 3
          ---
          message: "expected count >= 3, found 0"
          expected: "count >= 3"
          actual: "0"
          ...
        not ok 4 - stdin:10: get 99
          ---
          message: "get intranet/announcements 99: not found (404, http://127.0.0.1:PORT) \##
        (list intranet/announcements shows the records)"
          ...
        ok 5 - stdin:12: expect error notFound
        not ok 6 - stdin:13: expect $r.title.count > 3
          ---
          message: "expected $r.title.count > \"3\", found nothing"
          expected: "$r.title.count > \"3\""
          actual: "nothing"
          ...

        """##.replacing("PORT", with: run.output.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.1 ?? ""))
  }

  @Test("JUnit: well-formed XML that says the same") func junit() async throws {
    let run = try await run(Self.mixed, "--report", "junit", "--on-error", "continue")
    #expect(run.status == 1)
    let report = try JUnit(run.output)
    #expect(report.suite["tests"] == "6" && report.suite["failures"] == "3" && report.suite["errors"] == "1")
    #expect(report.suite["time"]?.wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil)
    #expect(report.cases.map(\.kind) == ["held", "failure", "failure", "error", "held", "failure"])
    #expect(report.cases[0].name == #"stdin:2: expect $r.title ~ "<b""#)
    #expect(report.cases[2].name == #"stdin:8: expect (list title="no # \"<&>\" \\") >= 3"#)
    let found = #""a\nb\u0001\u001b]0;\\""#
    #expect(report.cases[1].message == #"expected $r.body = "a", found "# + found)
    #expect(
      report.cases[1].details
        == #"message: expected $r.body = "a", found "# + found + "\nexpected: $r.body = \"a\"\nactual: " + found)
    #expect(report.cases[3].message.hasPrefix("get intranet/announcements 99: not found (404, "))
    #expect(report.note == "")
  }

  @Test("how many records were written and how many not is reported") func totals() async throws {
    let script = "delete 1 2 99 --yes\n"
    let junit = try await run(script, "--report", "junit", "--on-error", "continue")
    let report = try JUnit(
      String(junit.output[(junit.output.firstRange(of: "<?xml")?.lowerBound ?? junit.output.startIndex)...]))
    #expect(report.figures == ["records.done": "2", "records.failed": "1", "records.unknown": "0"])
    let tap = try await run("get 3 4 -o id\n", "--report", "tap")
    #expect(tap.output.hasSuffix("# records.done 2, records.failed 0, records.unknown 0\n"), "\(tap.output)")
  }

  @Test("whatever a value holds, the XML is well formed and the TAP has a line a point") func characters() async throws
  {
    let scalars =
      (UInt32(0)...0x2100).map { $0 } + [0xFEFF, 0xFFF9, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFE, 0xE0001, 0x10FFFF]
    let escapes = scalars.map { "\\u{\(String($0, radix: 16))}" }
    let script = stride(from: 0, to: escapes.count, by: 40).map { start in
      "set @x \"\(escapes[start..<min(start + 40, escapes.count)].joined())\"\nexpect $x = none"
    }.joined(separator: "\n")
    let junit = try await run(script, "--report", "junit", "--on-error", "continue")
    let report = try JUnit(junit.output)
    #expect(report.cases.count == (escapes.count + 39) / 40)
    // By its bytes: a quote and what combines with it are one character.
    let start = "expected $x = \"none\", found \"".utf8
    #expect(report.cases.allSatisfy { $0.kind == "failure" && $0.message.utf8.starts(with: start) })
    let tap = try await run(script, "--report", "tap", "--on-error", "continue")
    let lines = tap.output.unicodeScalars.split(separator: "\n").map { String($0) }
    #expect(lines.count == 2 + report.cases.count * 6)
    #expect(tap.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }

  @Test(
    "what ends the run is the last point, and how much was not run is reported",
    arguments: [
      ("count\nexpect count = 7\ncount\nexpect count = 6\nget 1", "stdin:2: expect count = 7", "failure", 3),
      ("count\nget 99\ncount", "stdin:2: get 99", "error", 1),
      (
        "for row in (list)\n  expect $row.id = 2\n  count\nend\ncount", "stdin:2: expect $row.id = 2", "failure",
        2
      ),
      ("expect (get 99) = 1\ncount", "stdin:1: expect (get 99) = 1", "error", 1),
    ])
  func stopped(script: String, name: String, kind: String, rest: Int) async throws {
    let words = rest == 1 ? "1 more statement was not run" : "\(rest) more statements were not run"
    let tap = try await run(script, "--report", "tap", "--summary", "json")
    #expect(tap.status == 1)
    #expect(tap.output.hasSuffix("  ...\n# \(words)\n"))
    #expect(tap.output.contains("\nnot ok 1 - \(name)\n"))
    #expect(tap.output.contains("TAP version 14\n1..1\n"))
    #expect(tap.errors.contains("\"skipped\":\(rest),"))
    let junit = try await run(script, "--report", "junit:r.xml", "--summary", "text")
    #expect(junit.errors.contains("\(rest) not run"))
    let report = try JUnit(String(contentsOf: home.folder.appending(path: "r.xml"), encoding: .utf8))
    #expect(report.cases.map(\.name) == [name] && report.cases.map(\.kind) == [kind])
    #expect(report.note == words)
  }

  @Test("what is found before the run is reported, too: no harness takes it for nothing to test") func findings()
    async throws
  {
    let script = "expect 1 = 1\nlst\ncreate title=x password=s3cret nope=1\nif 1 = 1"
    let tap = try await run(script, "--report", "tap", "--summary", "json")
    #expect(tap.status == 2)
    #expect(
      tap.output.split(separator: "\n").filter { !$0.hasPrefix(" ") } == [
        "TAP version 14", "1..3", "not ok 1 - stdin:2: lst",
        "not ok 2 - stdin:3: create title=x password=[blanked] nope=1",
        "not ok 3 - stdin:4: if 1 = 1", "# 4 more statements were not run",
      ])
    #expect(tap.errors.contains(#"{"summary":{"done":0,"failed":0,"handled":0,"skipped":4,"#))
    let junit = try JUnit(try await run(script, "--report", "junit").output)
    #expect(junit.cases.map(\.kind) == ["error", "error", "error"])
    #expect(junit.cases[0].message.hasPrefix("unknown command"))
  }

  @Test("a report in a file stands beside the results, and replaces the one before") func file() async throws {
    let path = try home.write("old\n", to: "r.tap")
    let run = try await run("count\nexpect count = 6", "--report", "tap:\(path)")
    #expect((run.status, run.output, run.errors) == (0, "6\n", ""))
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "TAP version 14\n1..1\nok 1 - stdin:2: expect count = 6\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).contains("r.tap.partial") == false)
  }

  @Test("a report that cannot be written is reported before anything is sent") func unwritable() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let run = try await ConsoleRun.run(
      ["--config", config, "--report", "junit:/nonexistent/r.xml"], input: "create title=x\nexpect 1 = 1\n", in: home)
    #expect((run.status, run.output) == (2, ""))
    #expect(
      run.errors
        == "--report: error: cannot write /nonexistent/r.xml: No such file or directory\n")
    #expect(try await demo.requests() == 0)
    let full = try await self.run("count\nexpect 1 = 1", "--report", "tap:/dev/full")
    #expect((full.status, full.output) == (1, "6\n"))
    #expect(full.errors.hasPrefix("/dev/full: error: cannot write: No space left on device"))
  }

  @Test("a restricted script cannot name files, its operator can name that of the report") func restricted()
    async throws
  {
    let run = try await run("expect count intranet = 6", "--restricted", "--report", "tap:r.tap")
    #expect((run.status, run.output, run.errors) == (0, "", ""))
    let text = try String(contentsOf: home.folder.appending(path: "r.tap"), encoding: .utf8)
    #expect(text == "TAP version 14\n1..1\nok 1 - stdin:1: expect count intranet = 6\n")
  }

  @Test("each form that there is not is refused", arguments: ["xml", "tap:", "", "TAP"])
  func form(word: String) async throws {
    let run = try await run("count", "--report", word)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("--report must be tap or junit, optionally with :FILE, not \"\(word)\""))
  }

  @Test("the summary counts what was done, failed, was handled and was not run") func summary() async throws {
    let script = """
      count
      get 99
      expect status 404
      try
        get 98
      end
      expect count = 6
      for row in (list id<3)
        get $row.id -o id
      end
      get 97
      count
      """
    let text = try await run(script, "--summary", "text")
    #expect(text.status == 1)
    #expect(
      text.errors.hasSuffix(
        "4 done, 1 failed, 2 failed as expected or within try, 1 not run; 2 of 2 expectations hold\n"))
    let json = try await run(script, "--summary", "json", "--errors", "json")
    let last = try #require(json.errors.split(separator: "\n").last)
    #expect(last == #"{"summary":{"done":4,"failed":1,"handled":2,"skipped":1,"expectations":{"total":2,"held":2}}}"#)
    #expect(json.output == text.output)
    let nothing = try await run("", "--summary", "text")
    #expect((nothing.status, nothing.errors) == (0, "0 done\n"))
  }

  @Test("what a try takes makes no report fail") func tried() async throws {
    let run = try await run(
      "try\n  get 1 -o id\n  expect $last.id = 2\nelse\n  expect $error.code = expectation\nend", "--report", "tap")
    #expect((run.status, run.errors) == (0, ""))
    #expect(
      run.output
        == "1\nTAP version 14\n1..1\nok 1 - stdin:5:   expect $error.code = expectation\n".replacing(
          "   ", with: " "))
  }

  @Test("an expectation that fails is not a failure for the next one to expect") func chain() async throws {
    let run = try await run("get 99\nexpect status 500\nexpect error", "--report", "tap")
    #expect(run.status == 1)
    #expect(run.errors == "stdin:2: error: expected status = 500, found 404\n")
    let all = try await self.run(
      "get 99\nexpect status 500\nexpect error notFound\nexpect $error.code = notFound", "--on-error", "continue")
    #expect((all.status, all.errors) == (1, "stdin:2: error: expected status = 500, found 404\n"))
  }
}
