import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Whatever a command prints is one document where a format for programs is chosen.
@Suite("One document a command") struct DocumentTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  private static let formats = ["json", "ndjson", "yaml", "csv", "tsv"]

  /// In one run each works on what those before it have left.
  private static let commands = [
    "list", "list id>99", "list --all", "list --count-by title", "list placeholder/todos --where \"id > 190\"", "get 3",
    "get 3 4", "count", "count title~room", "stats title", "explain list title~room --sort -id", "describe",
    "describe placeholder", "backends", "plugins", "ping", "show", "show perPage", "show intranet.apiVersion",
    "create title=x body=y", "update 3 title=x", "delete 3", "delete 2 4 --yes", "delete todolist --all --yes",
    "conformance --list", "tee", "again", "create placeholder/todos title=x",
  ]

  /// Reads documents the way the readers of their formats do: each has to be whole and the only one. Prints the numbers of the others
  /// and what is wrong with them.
  private static let judge = """
    import csv, json, sys, yaml
    def read(kind, text):
        if kind == "json": json.loads(text)
        elif kind == "ndjson": [json.loads(line) for line in text.splitlines()]
        elif kind == "yaml": assert text.startswith("---\\n") and len(list(yaml.safe_load_all(text))) == 1
        else:
            rows = [line.split("\\t") for line in text.splitlines()] if kind == "tsv" else list(csv.reader(text.splitlines(True), strict=True))
            assert rows and len(set(map(len, rows))) == 1, rows
    for number, (kind, text) in enumerate(json.load(sys.stdin)):
        try: read(kind, text)
        except Exception as error: print(number, repr(error))
    """

  /// Returns what is wrong with documents, by their numbers.
  private func problems(_ documents: [(format: String, text: String)]) async throws -> [Int: Substring] {
    let input = try JSONEncoder().encode(documents.map { [$0.format, $0.text] })
    let run = try await ConsoleRun.runProgram(
      ["-c", Self.judge], bytes: Array(input), in: console.home, executable: "/usr/bin/python3")
    try #require(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    return Dictionary(lines.compactMap { line in Int(line[0]).map { ($0, line[1]) } }) { $1 }
  }

  /// Returns what each command prints in a format, all in one run with a home and a demo of its own.
  private func documents(_ format: String) async throws -> [String] {
    let mark = "==== next ===="
    let words = Self.commands.flatMap { command in
      let first =
        command == "again" ? ["set output table", "get 1 --to /dev/null", "set output \(format)"] : []
      return (first + ["! echo '\(mark)'", command]).flatMap { ["-c", $0] }
    }
    let run = try await ShippedConsole().run(
      ["--allow-shell", "--on-error", "continue", "-c", "set output \(format)"] + words)
    #expect(run.status == 0, "\(format): \(run.errors)")
    return Array(run.output.components(separatedBy: mark + "\n").dropFirst())
  }

  @Test("each command that prints data") func whole() async throws {
    var cases: [(command: String, format: String, text: String)] = []
    for format in Self.formats {
      let texts = try await documents(format)
      try #require(texts.count == Self.commands.count, "\(format): \(texts)")
      cases += zip(Self.commands, texts).map { ($0, format, $1) }
    }
    let problems = try await problems(cases.map { ($0.format, $0.text) })
    for (number, one) in cases.enumerated() {
      let name = "\(one.command) as \(one.format)"
      #expect(!one.text.isEmpty || (one.format == "ndjson" && one.command == "list id>99"), "\(name)")
      #expect(problems[number] == nil, "\(name): \(one.text)")
    }
  }

  @Test("the judge takes neither half a document nor two") func judged() async throws {
    let wrong = [
      "json": ["{}{}", "[1", ""], "ndjson": ["[1\n2]\n"], "yaml": ["a: 1\n", "---\n1\n---\n2\n", "---\n[1\n"],
      "csv": ["a,b\n1\n", "a\n\"1", ""], "tsv": ["a\tb\n1\n", ""],
    ]
    let documents = wrong.flatMap { format, texts in texts.map { (format, $0) } }
    #expect(try await problems(documents).count == documents.count && Set(wrong.keys) == Set(Self.formats))
  }

  @Test("what is said of a write is a record, and -o id its identifier") func receipts() async throws {
    let one = try await console.run(["-c", "delete 3 -o json"])
    #expect(
      try JSONReader.read(one.output)
        == ["action": "deleted", "backend": "intranet", "resource": "announcements", "id": 3])
    let several = try await console.run(["-c", "delete 2 99 4 --yes -o id"])
    #expect((several.status, several.output) == (5, "2\n4\n"))
    let count = try await console.run(["-c", "count -o csv", "-c", "count -o json"])
    #expect(count.output == "count\n3\n3\n")
  }

  @Test("a format that there is not is refused before anything is done") func wrong() async throws {
    let run = try await console.run(["-c", "delete 3 -o jsn", "-c", "count"])
    #expect((run.status, run.output) == (2, ""))
    let after = try await console.run(["--stream", "--on-error", "continue", "-c", "delete 3 -o jsn", "-c", "count"])
    #expect(after.output == "6\n")
  }
}
