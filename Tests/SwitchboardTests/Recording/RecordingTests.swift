import ConsoleSupport
import Foundation
import TestSupport
import Testing

@Suite("Record and replay") struct RecordingTests {
  let run: RecordedRun

  init() throws { run = try RecordedRun() }

  private static let walks = [
    """
    list -n 2
    next
    list --all -o ndjson
    get 3 4
    get 5 -o json
    create title="Nü \\"x\\"; delete 1" body="<p>a</p>"
    update 7 title=y
    get 7
    delete 7
    count title~room
    list --sort -title --fields id,title -o csv
    set intranet.apiVersion 1.0
    get 99
    """,
    """
    use todolist
    create title=milk order:=3
    create title=bread
    list
    list --where "order >= 3" -o yaml
    get 0
    update 0 completed=true
    delete 0 1 --yes
    list -n 3 --page 2
    stats title
    """,
    """
    use placeholder
    list -n 3
    next
    list todos --limit 250 -o id
    get todos 3
    create todos title=x userId:=1
    update todos 3 title=z
    delete todos 3
    list users/1/todos -n 2
    count todos completed=true
    get todos 9999
    """,
    """
    login baasic ana --password-file secret.txt
    use baasic
    whoami -o json
    list -n 2
    next
    describe
    create title=x isComplete:=false
    list --all -o json
    logout
    """,
  ]

  @Test(
    "the walk through each of the four systems is replayed to the same bytes, without any network", arguments: walks)
  func walk(script: String) async throws {
    _ = try run.home.write("correct horse\n", to: "secret.txt")
    let recorded = try await run.roundTrip(script + "\n", ["--on-error", "continue"])
    #expect(recorded.status <= 1, "\(recorded.errors)")
    #expect(recorded.output.count > 300)
    let text = try String(contentsOfFile: run.file, encoding: .utf8)
    #expect(!text.contains("correct horse"))
  }

  @Test(
    "the session of each system's app is replayed to the same bytes, and what it expects holds",
    arguments: ["announcements 1", "announcements 2", "todolist", "placeholder", "schemas"])
  func session(name: String) async throws {
    let file = ConsoleRun.root.appending(path: "Tests/Scripts/sessions.cases")
    let sessions = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "=== ")
    let session = try #require(sessions.first { $0.hasPrefix(name + "\n") })
    let script = try #require(session.components(separatedBy: "\n--- ").first { $0.hasPrefix("in\n") }).dropFirst(3)
    let recorded = try await run.roundTrip(script + "\n", ["--report", "tap"])
    #expect(recorded.status == 0, "\(recorded.errors)")
    let points = recorded.output.split(separator: "\n").filter { $0.contains(#/^(not )?ok [0-9]+ - /#) }
    #expect(points.count >= 10)
    #expect(points.allSatisfy { $0.hasPrefix("ok ") })
  }

  @Test("a script of reads that overlap is replayed to the same bytes, however often") func overlapping() async throws {
    let script = (0..<60).map { "get \($0 % 6 + 1) -o ndjson\n" }.joined()
    let recorded = try await run.roundTrip(script)
    #expect(recorded.output.split(separator: "\n").count == 60)
    for _ in 0..<5 {
      let replayed = try await run.replay(script)
      #expect((replayed.status, replayed.output, replayed.errors) == (0, recorded.output, ""))
    }
  }

  @Test("the file begins with its version, has a line an exchange and is for its owner alone")
  func file() async throws {
    _ = try run.home.write("", to: "run.rec")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: run.file)
    _ = try await run.record("get 3\nget 4 -o id\n")
    #expect(try FileManager.default.attributesOfItem(atPath: run.file)[.posixPermissions] as? Int == 0o600)
    let lines = try run.lines
    #expect(lines.count == 3)
    #expect(lines[0] == #"{"switchboardRecording":1}"#)
    #expect(lines[1].hasPrefix(#"{"number":1,"backend":"intranet","address":"http://127.0.0.1:"#))
    #expect(lines[1].contains(#""request":{"method":"GET","target":"announcements/3","effect":"read""#))
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  @Test("a file that holds something is left alone") func existing() async throws {
    _ = try run.home.write("mine\n", to: "run.rec")
    let refused = try await run.record("get 3\n")
    #expect((refused.status, refused.output) == (2, ""))
    #expect(refused.errors.contains("run.rec is not empty") && refused.errors.contains("name a new file"))
    #expect(try run.lines == ["mine"])
  }

  @Test(
    "what is not a recording is refused in a sentence",
    arguments: [
      ("", "is not a recording"), ("[1]\n", "is not a recording"),
      ("{\"switchboardRecording\":2}\n", "another version"),
      ("{\"switchboardRecording\":1}\n{}\n", "run.rec:2: this is not a recorded exchange"),
    ])
  func foreign(text: String, says: String) async throws {
    _ = try run.home.write(text, to: "run.rec")
    let refused = try await run.replay("get 3\n")
    #expect((refused.status, refused.output) == (2, ""))
    #expect(refused.errors.contains(says))
    #expect(refused.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("recording and replaying cannot be combined") func both() async throws {
    let refused = try await run.replay("get 3\n", ["--record", "x"])
    #expect((refused.status, refused.errors) == (2, "error: --record and --replay cannot be combined\n"))
  }

  @Test(
    "the first request that differs ends the replay and says where and how",
    arguments: [
      (
        "get 3\nget 5\n",
        "run.rec:3: the request differs from the one recorded: path: recorded /announcements/4, asked /announcements/5"
      ),
      ("get 3\ndelete 4\n", "method: recorded GET, asked DELETE"),
      ("get 3\nget todolist 4\n", "backend: recorded intranet, asked todolist"),
      ("get 3\nset intranet.apiVersion 1.0\nget 4 -o id\n", "header Accept-Version: recorded 2.0, asked 1.0"),
      (
        "get 3\nget 4\ncreate title=b body=c\n",
        #"body: recorded "{"title":"a","body":"c"}", asked "{"title":"b","body":"c"}""#
      ),
    ])
  func different(script: String, says: String) async throws {
    _ = try await run.record("get 3\nget 4 -o id\ncreate title=a body=c\n")
    let replayed = try await run.replay(script, ["--on-error", "continue"])
    #expect(replayed.status == 3)
    #expect(replayed.errors.components(separatedBy: says).count == 2, "reported once: \(replayed.errors)")
    let more = try await run.replay("get 3\nget 4 -o id\ncreate title=a body=c\nget 3\n")
    #expect(more.status == 3)
    #expect(more.errors.contains("sends more requests than") && more.errors.contains("GET /announcements/3"))
  }

  @Test("a difference that the script was silent about is reported at the end") func silent() async throws {
    _ = try await run.record("get 3\n")
    let replayed = try await run.replay("try\nget 5\nend\n")
    #expect((replayed.status, replayed.output) == (1, ""))
    #expect(
      replayed.errors
        == "error: \(run.file):2: the request differs from the one recorded: path: recorded /announcements/3, asked /announcements/5\n"
    )
  }

  @Test("what was recorded and not asked for is reported at the end") func left() async throws {
    _ = try await run.record("get 3\nget 4 -o id\nget 5\n")
    let replayed = try await run.replay("get 3\n")
    #expect(replayed.status == 1)
    #expect(
      replayed.errors
        == "error: \(run.file): 2 recorded exchanges were not used, the first in line 3: GET /announcements/4\n")
  }

  @Test("a run that was killed leaves what was over by then") func killed() async throws {
    let console = try run.home.startShipped("--stream", "--record", run.file)
    try console.type("get 3 -o id\n")
    try await console.expect("3\n")
    _ = try await console.end(by: SIGKILL)
    #expect(try run.lines.count == 2)
    let handle = try #require(FileHandle(forWritingAtPath: run.file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"number\":2,\"back".utf8))
    let replayed = try await run.replay("get 3 -o id\n")
    #expect((replayed.status, replayed.output) == (0, "3\n"))
    #expect(replayed.errors == "warning: \(run.file): the last line was cut off and is ignored\n")
  }
}
