import BackendKit
import ConsoleSupport
import Testing

/// Whatever a command prints is one document where a format for programs is chosen.
@Suite("One document a command") struct DocumentTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  private static let commands = [
    "list", "list id>99", "list --all", "list --count-by title", "list placeholder/todos --where \"id > 190\"", "get 3",
    "get 3 4", "count", "count title~room", "stats title", "explain list title~room --sort -id", "describe",
    "describe placeholder", "backends", "plugins", "ping", "show", "show perPage", "show intranet.apiVersion",
    "create title=x body=y", "update 3 title=x", "delete 3", "delete 3 4 --yes", "delete todolist --all --yes",
    "conformance --list", "tee", "again", "create placeholder/todos title=x",
  ]

  /// Reads each format the way its readers do: the document has to be whole and the only one.
  private static let judge = """
    import csv, json, sys, yaml
    kind, text = sys.argv[1], sys.stdin.read()
    if kind == "json": json.loads(text)
    elif kind == "ndjson": [json.loads(line) for line in text.splitlines()]
    elif kind == "yaml": assert text.startswith("---\\n") and len(list(yaml.safe_load_all(text))) == 1
    else:
        rows = [line.split("\\t") for line in text.splitlines()] if kind == "tsv" else list(csv.reader(text.splitlines(True), strict=True))
        assert rows and len(set(map(len, rows))) == 1, rows
    print("whole")
    """

  @Test("each command that prints data", arguments: commands, ["json", "ndjson", "yaml", "csv", "tsv"])
  func whole(command: String, format: String) async throws {
    let first = command == "again" ? ["-c", "get 3 --to /dev/null"] : []
    let run = try await console.run(first + ["-c", "set output \(format)", "-c", command])
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.output.isEmpty || (format == "ndjson" && command == "list id>99"))
    let read = try await ConsoleRun.runProgram(
      ["-c", Self.judge, format], bytes: Array(run.output.utf8), in: console.home, executable: "/usr/bin/python3")
    #expect(read.output == "whole\n", "\(run.output)\(read.errors)")
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
