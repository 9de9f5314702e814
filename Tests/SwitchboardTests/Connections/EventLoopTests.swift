import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("The event loop on the main thread") struct EventLoopTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func answer(_ status: String, _ json: String) -> [UInt8] {
    Array(
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)".utf8)
  }

  private func console() throws -> RunningProgram { try ConsoleRun.start(["--stream"], in: home) }

  @Test("what needs the network needs no second thread") func oneThread() async throws {
    let server = try SocketServer(answer("200 OK", #"{"id":1,"title":"a","body":null}"#))
    let console = try console()
    try console.type("get grails:\(server.address) 1 -o id\nget grails:\(server.address) 1 -o id\n")
    try await console.expect("1\n1\n")
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(console.id)/task")
    #expect(threads.count == 1)
    #expect(try await console.end().status == 0)
  }

  @Test("a write after a pause does not go over a connection that the server closed meanwhile")
  func closed() async throws {
    let server = try SocketServer(
      answer("200 OK", #"{"id":1,"title":"a","body":null}"#),
      answer("201 Created", #"{"id":2,"title":"b","body":null}"#),
      holdsOpen: true)
    let console = try console()
    try console.type("get grails:\(server.address) 1 -o id\n")
    try await console.expect("1\n")
    // The console waits for its next line meanwhile. The pause is what is tested: longer than what passes for none.
    try await Task.sleep(for: .milliseconds(200))
    server.closeHeld()
    try console.type("create grails:\(server.address) title=b -o id\n")
    let ending = try await console.end()
    #expect(ending.output == "1\n2\n")
    #expect((ending.status, ending.errors) == (0, ""))
    #expect(server.requests.map { $0.prefix { $0 != " " } } == ["GET", "POST"])
  }

  @Test("a read's result reaches a reader that sends the next line only afterwards") func dialogue() async throws {
    let server = try SocketServer(answer("200 OK", #"{"id":1,"title":"a","body":null}"#))
    let console = try console()
    for _ in 0..<3 {
      try console.type("get grails:\(server.address) 1 -o id\n")
      try await console.expect("1\n")
    }
    #expect(try await console.end().status == 0)
  }

  @Test("reads that follow each other are asked for ahead, each once, and shown in their order")
  func ahead() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let run = try await ConsoleRun.run(
      ["--config", try demo.configuration(in: home)],
      input: "get 4 -o id\nget 2 -o id\nget 2 -o id\nget 6 -o id\nget 1 -o id\n", in: home)
    #expect((run.status, run.output, run.errors) == (0, "4\n2\n2\n6\n1\n", ""))
    #expect(try await demo.send("GET", "/_demo/requests").object()["grails"] as? Int == 5)
  }

  @Test(
    "lists and counts that follow are asked for ahead, each once, and shown in their order",
    arguments: [
      "list --per-page 2 -o id\ncount\nlist announcements --page 2 --per-page 2 -o id\nget 6 -o id\ncount intranet\n",
      "get 1 -o id\nlist -n 2 -o id\nget 2 -o id\nlist --all --per-page 2 -o id\nlist intranet --sort -id -n 3 -o id\n",
      "count title~e\ncount title~e\nlist title~a --fields id -o csv\nlist --where 'id > 3 or title is null' -o id\n",
      // One that is wrong or fails ends the script.
      "list -n 2 -o id\nlist nope=1 -n 2 -o id\ncount\n", "list -n 2 -o id\nget 99 -o id\ncount\n",
      "list -n 2 -o id\nupdate 1 title=changed -o id\nlist -n 2 --fields id,title -o csv\ncount title=changed\n",
    ]) func listsAhead(script: String) async throws
  {
    func run(_ words: String...) async throws -> (ConsoleRun, requests: Int?) {
      let demo = try await DemoProcess.start(["--memory"])
      let run = try await ConsoleRun.run(
        ["--config", try demo.configuration(in: home)] + words, input: script, in: home)
      return (run, try await demo.send("GET", "/_demo/requests").object()["grails"] as? Int)
    }
    func masked(_ text: String) -> String { text.replacing(/127\.0\.0\.1:[0-9]+/, with: "SERVER") }
    let (plain, ahead) = (try await run("--read-ahead", "0"), try await run())
    #expect((ahead.0.status, ahead.0.output) == (plain.0.status, plain.0.output))
    // A script that ends early has asked for what follows.
    if plain.0.status == 0 { #expect(ahead.requests == plain.requests) }
    #expect(masked(ahead.0.errors) == masked(plain.0.errors))
  }

  @Test("a script stops at the read that fails, whatever was asked for ahead") func failingAhead() async throws {
    let run = try await home.runShipped(input: "get 1 -o id\nget 99 -o id\nget 2 -o id\nget 3 -o id\n")
    #expect((run.status, run.output) == (1, "1\n"))
    #expect(run.errors.hasPrefix("stdin:2: error: get intranet/announcements 99: not found (404, "))
    let all = try await home.runShipped(
      "--on-error", "continue", input: "get 1 -o id\nget 99 -o id\nget 2 -o id\nget 3 -o id\n")
    #expect((all.status, all.output) == (1, "1\n2\n3\n"))
  }

  @Test(
    "--read-ahead 0 sends each read in its turn, and so does retry",
    arguments: [
      (["--read-ahead", "0"], "get 1 -o id\nget 99 -o id\nget 2 -o id\nget 3 -o id\n", 2),
      (["-c", "set readAhead 0", "-f", "-"], "get 1 -o id\nget 99 -o id\nget 2 -o id\nget 3 -o id\n", 2),
      (["--read-ahead", "9"], "retry 2 every 0\nget 99 -o id\nget 1 -o id\nget 2 -o id\nend\n", 2),
    ]) func boundedAhead(words: [String], script: String, requests: Int) async throws
  {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let run = try await ConsoleRun.run(["--config", config] + words, input: script, in: home)
    #expect(run.status == 1)
    #expect(try await demo.send("GET", "/_demo/requests").object()["grails"] as? Int == requests)
  }

  @Test("the status that a script asks for is that of its last read, whatever arrived last")
  func statusAhead() async throws {
    let script =
      "on-error continue\nget 1 -o id\nget 2 -o id\nget 99 -o id\nexpect status = 404\nget 99 -o id\nget 3 -o id\nexpect status = 200\n"
    let lists =
      "on-error continue\nget 99 -o id\nget 98 -o id\nlist -n 1 -o id\nexpect status = 200\n"
      + "list --all --per-page 2 -o id\nget 99 -o id\nexpect status = 404\n"
    for (script, output) in [(script, "1\n2\n3\n"), (lists, "1\n1\n2\n3\n4\n5\n6\n")] {
      for _ in 0..<5 {
        let run = try await home.runShipped(input: script)
        #expect(run.output == output)
        #expect(!run.errors.contains("expected"), "\(run.errors)")
      }
    }
  }

  @Test("a read after a write sees what was written") func readAfterWrite() async throws {
    let script = """
      get 1 -o tsv --no-header
      get 2 -o tsv --no-header
      update 3 title=changed -o id
      get 3 -o tsv --no-header
      get 2 -o tsv --no-header
      update 2 title=too -o id
      get 2 -o tsv --no-header
      """
    let run = try await home.runShipped(input: script)
    #expect(run.status == 0)
    let titles = run.output.split(separator: "\n")
    #expect(titles.contains { $0.hasPrefix("3\tchanged\t") })
    #expect(titles.last?.hasPrefix("2\ttoo\t") == true)
  }

  @Test("nothing is changed after a result that could not be written") func lostResult() async throws {
    let server = try SocketServer(answer("200 OK", #"{"id":1,"title":"a","body":null}"#))
    let script = try home.write(
      "get grails:\(server.address) 1 -o id\nget grails:\(server.address) 1 -o id\ndelete grails:\(server.address) 1\n",
      to: "script.sb")
    let run = try await home.shell("exec \"$0\" -f \"$1\" >/dev/full", script, with: "/bin/sh")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "error: cannot write: No space left on device; the rest of the output is lost; earlier changes are kept\n")
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET") })
    #expect(!server.requests.isEmpty)
  }

  @Test(
    "a full disk is not a success, also of what the outer command line asks for", arguments: ["--version", "--help"])
  func fullDisk(option: String) async throws {
    let run = try await home.shell("exec \"$0\" \(option) >/dev/full", with: "/bin/sh")
    #expect((run.status, run.errors) == (1, "error: cannot write: No space left on device\n"))
  }
}
