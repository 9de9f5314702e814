import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// `--errors json`: standard error as lines of JSON, and nothing else.
@Suite("Errors as JSON") struct ErrorReportTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// The objects on standard error; every line has to be one.
  private func reports(
    _ arguments: [String], _ script: String? = nil, config: String = ConsoleTerminal.config
  ) async throws -> (run: ConsoleRun, objects: [[String: String]]) {
    let run = try await ConsoleRun.run(["--config", config] + arguments, input: script ?? "", in: home)
    let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "", "the last line has its end")
    let objects = try lines.dropLast().map { line in
      let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      return object.mapValues { value in
        (value as? [String: Any]).map { "\($0)" } ?? "\(value)"
      }
    }
    for object in objects {
      #expect(["error", "warning", "note"].contains(object["level"] ?? ""))
      #expect(object["message"]?.isEmpty == false)
      #expect((object["code"] != nil) == (object["level"] == "error"))
    }
    return (run, objects)
  }

  @Test("an error of a server tells code, place, what it is about, effect and status") func server() async throws {
    let file = try home.write("count\n\nget 99\n", to: "a.sb")
    let (run, objects) = try await reports(["--errors", "json", "-f", file])
    #expect((run.status, run.output, objects.count) == (1, "6\n", 1))
    let error = try #require(objects.first)
    let expected: [String: String] = [
      "level": "error", "code": "notFound", "file": file, "line": "3", "operation": "get", "backend": "intranet",
      "resource": "announcements", "id": "99", "effect": "rejected", "httpStatus": "404", "status": "1",
    ]
    #expect(error.filter { $0.key != "message" } == expected)
    #expect(error["message"]?.hasPrefix("get intranet/announcements 99: ") == true)
  }

  @Test("reads of several records change nothing, whatever became of them") func reads() async throws {
    let (run, objects) = try await reports(["--errors", "json", "-c", "get 1 99"])
    #expect(run.status != 0 && objects.map { $0["effect"] } == ["rejected", "rejected"], "\(objects)")
  }

  @Test(
    "whatever goes wrong, each line is an object",
    arguments: [
      (["-c", "lst"], "usage", 2), (["--nope"], "usage", 2), (["-c", "get x"], "usage", 2),
      (["-c", "list titel=x"], "usage", 2), (["-f", "/nonexistent"], "usage", 2),
      (["-c", "create 'x"], "usage", 2), (["-c", "get grails:http://127.0.0.1:9/ 3"], "unavailable", 4),
      (["-c", "get nope:http://127.0.0.1:9/ 3"], "plugin", 3), (["-c", "get 3 --to /nonexistent/x"], "usage", 2),
      (["-c", "list --where 'title ='"], "usage", 2), (["-c", "delete 1 2"], "usage", 2),
      (["--replay", "/nonexistent", "-c", "get 3"], "usage", 2),
      (["--allow-shell", "-c", "count | false"], "failed", 1), (["-c", "list --search x --max-scan 1"], "partial", 5),
    ])
  func kinds(arguments: [String], code: String, status: Int) async throws {
    let (run, objects) = try await reports(["--errors", "json"] + arguments)
    #expect(run.status == status)
    let errors = objects.filter { $0["level"] == "error" }
    #expect(errors.count == 1)
    #expect(errors.first?["code"] == code, "\(run.errors)")
    #expect(errors.first?["status"] == "\(status)")
  }

  @Test("a configuration that is wrong, and one that only says how errors look") func configuration() async throws {
    let wrong = try home.write(#"{"switchboard": 1, "backend": {}}"#, to: "wrong.json")
    let (run, objects) = try await reports(["--errors=json", "-c", "count"], config: wrong)
    #expect((run.status, objects.count) == (3, 1))
    #expect(objects.first?["code"] == "configuration")
    let settings = try home.write(#"{"switchboard": 1, "settings": {"errors": "json"}}"#, to: "json.json")
    let (second, reported) = try await reports(["-c", "count"], config: settings)
    #expect((second.status, reported.count) == (2, 1))
  }

  @Test("notes and warnings are lines of their own; of several records each failure is one") func notes() async throws {
    let script =
      "set errors json\nlist -n 2 -o id\ncreate placeholder/todos title=x\nget 3 98 99 -o id\nset errors text\nlst\n"
    let run = try await home.runShipped("--stream", "--on-error", "continue", input: script)
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(lines.suffix(2) == ["stdin:6: error: unknown command \"lst\"", "hint: did you mean list?"])
    #expect(lines[0] == #"{"level":"note","message":"1–2, more: next","file":"stdin","line":2,"first":1,"count":2}"#)
    #expect(
      lines[1]
        == #"{"level":"warning","message":"accepted, but this server does not store it","file":"stdin","line":3}"#)
    for (line, id) in [(lines[2], "98"), (lines[3], "99")] {
      #expect(line.contains(#""code":"notFound""#) && line.contains("\"id\":\"\(id)\"") && line.contains("\"line\":4"))
    }
    #expect(lines[4].contains(#""code":"partial""#))
  }

  @Test("whether to try again: not where nobody knows what was done") func retry() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=hangup"])
    let (_, objects) = try await reports(
      ["--stream", "--errors", "json", "--on-error", "continue", "-c", "get 3", "-c", "create title=x", "-c", "lst"],
      config: try demo.configuration(in: home))
    #expect(objects.map { $0["retry"] } == ["[\"safe\": 1]", "[\"safe\": 0]", nil])
    #expect(objects.map { $0["status"] } == ["4", "6", "2"])
  }

  @Test("how long the server asks to wait is reported") func pause() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=toomany", "--set", "fault.delay=90000"])
    let config = try demo.configuration(in: home)
    let run = try await ConsoleRun.run(["--config", config, "--errors", "json", "-c", "create title=x"], in: home)
    #expect(run.errors.contains(#""code":"rateLimited""#))
    #expect(
      run.errors.hasSuffix(#""httpStatus":429,"status":4,"retry":{"safe":true,"after":90}}"# + "\n"), "\(run.errors)")
  }

  @Test("output that cannot be written is an object, too") func full() async throws {
    let run = try await home.shell(
      "exec \"$0\" --config \"$1\" --errors json -c count >/dev/full", ConsoleTerminal.config)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix(#"{"level":"error","code":"failed","message":"cannot write: "#))
  }
}

extension ErrorReportTests {
  @Test("docs/reference/errors.md tells of every member and every code") func documented() async throws {
    let page = try String(contentsOf: ConsoleRun.root.appending(path: "docs/reference/errors.md"), encoding: .utf8)
    let run = try await home.runShipped("--errors", "json", "-c", "get 99")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: Any], "\(run.errors)")
    for member in object.keys { #expect(page.contains("`\(member)`"), "\(member)") }
    let source = ConsoleRun.root.appending(path: "Sources/BackendKit/BackendKit/Errors/BackendError.swift")
    let codes = try String(contentsOf: source, encoding: .utf8).split(separator: "public enum Effect")[0]
      .matches(of: #/(?m)^    case ([a-zA-Z]+)$/#).map { String($0.1) }
    #expect(codes.count == 13)
    for code in codes + ["usage", "configuration", "plugin", "failed", "partial", "expectation", "strict"] {
      #expect(page.contains("| `\(code)` |"), "\(code)")
    }
  }
}
