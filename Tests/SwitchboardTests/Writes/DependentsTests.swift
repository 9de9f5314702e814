import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Deletions with which the server deletes other records: a schema with its records, an owner with what belongs to it.
@Suite("Deletions that take others along") struct DependentsTests {
  let home: ConsoleRun.Home

  // Its configuration is written once the server's address is known.
  init() throws { home = try ConsoleRun.Home(configuration: "{}") }

  /// Todos 3 and 4 belong to users who do not exist, and note 1 to such a list.
  private static let orphans = """
    {"users": [{"id": 1}, {"id": 2}], "lists": [{"id": 1}],
     "notes": [{"id": 1, "listId": 9}, {"id": 2, "listId": 1}],
     "todos": [{"id": 1, "userId": 1}, {"id": 2, "userId": 2}, {"id": 3, "userId": 99}, {"id": 4, "userId": "98"},
               {"id": 5, "userId": 2}, {"id": 6}]}
    """
  private static let description = """
    preset: json-server
    persistence: {kept: yes}
    resources:
      users: {additionalFields: true}
      todos: {additionalFields: true, fields: {userId: {type: any, reference: users}}}
      lists: {additionalFields: true}
      notes: {additionalFields: true}
    """

  /// Starts a server that keeps what is written, with a configuration for it: `a` speaks json-server, `b` Baasic; `d`
  /// is `a` as a description.
  private func start(_ options: String = "", database: String? = nil) async throws -> DemoProcess {
    var arguments = ["--memory", "--seed", "30", "--set", "jsonplaceholder.profile=json-server"]
    if let database { arguments += ["--import", try home.write(database, to: "db.json")] }
    let demo = try await DemoProcess.start(arguments)
    _ = try home.write(Self.description, to: "it.yaml")
    _ = try home.write(
      """
      {"switchboard": 1, "default": "a", "backends": {
        "a": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos",
              "options": {\(options)}},
        "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"},
        "d": {"plugin": "rest", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos",
              "description": "it.yaml"}}}
      """, to: "config.json")
    return demo
  }

  @Test(
    "a script says --yes before it, and nothing was sent",
    arguments: [
      ("delete b/schemas Book", "delete b/schemas/Book, and with it records of Book needs --yes; nothing was sent"),
      (
        "delete a/users 1",
        "delete a/users/1, and with it records of todos, records of posts, records of albums, and an unknown number"
      ),
      ("delete a/posts 1", "delete a/posts/1, and with it records of comments, and an unknown number of records"),
    ])
  func unasked(command: String, sentence: String) async throws {
    let demo = try await start()
    for arguments in [["-c", command], ["--check", "-c", command]] {
      let run = try await home.run("y\n", arguments)
      #expect((run.status, run.output) == (2, ""))
      #expect(run.errors.contains(sentence), "\(run.errors)")
    }
    // The name of a schema's resource may have to be looked up; nothing is written.
    #expect(try await demo.requests() == 0)
    try await home.run(commands: command + " --yes").succeeded()
  }

  @Test("a record with which nothing goes is deleted as before") func alone() async throws {
    let demo = try await start()
    let run = try await home.run(commands: "delete a/todos 3")
    withExtendedLifetime(demo) {}
    #expect((run.status, run.output) == (0, "deleted todos/3\n"))
  }

  @Test("where nothing is kept nothing goes along") func echoed() async throws {
    let demo = try await start(#""writes": "echoed""#)
    let run = try await home.run(commands: "delete a/users 1")
    withExtendedLifetime(demo) {}
    #expect((run.status, run.output) == (0, "accepted, not stored: delete users/1\n"))
  }

  @Test("at a terminal the question says how many go along, and is not asked where none does") func asked()
    async throws
  {
    let demo = try await start()
    let console = try ConsoleTmux(in: home, config: home.config, columns: 200, rows: 60)
    try console.clear()
    try console.terminal.enter(
      "delete b/schemas Book", expecting: "Delete b/schemas/Book, and with it 5 records of Book at http")
    try console.terminal.enter("n", expecting: "nothing was deleted")
    let users = try console.run("describe a/users").text
    #expect(users.contains("deleting a record also deletes records of posts that refer to it in userId"), "\(users)")
    _ = try console.run("create b/schemas name=Empty schema:={}")
    let empty = try console.run("delete b/schemas Empty").text
    #expect(empty.contains("deleted schemas/Empty") && !empty.contains("[y/N]"), "\(empty)")
    let answer = try await demo.send("GET", "/baasic/schemas/Book")
    #expect(answer.status == 200)
  }

  // MARK: Orphans

  /// The identifiers of the records that the server has.
  private func ids(_ demo: DemoProcess, _ resource: String) async throws -> [Int] {
    try await demo.send("GET", "/jsonplaceholder/\(resource)").rows().compactMap { $0["id"] as? Int }
  }

  private static let said = "2 records of todos and 1 record of notes whose owner does not exist"

  @Test("a script does not delete orphans along without --yes, and is told how many there are", arguments: ["a", "d"])
  func orphansRefused(backend: String) async throws {
    let demo = try await start(database: Self.orphans)
    let run = try await home.run(commands: "delete \(backend)/todos 1")
    #expect((run.status, run.output) == (1, ""))
    #expect(run.errors.contains("delete \(backend)/todos/1, and with it "), "\(run.errors)")
    #expect(run.errors.contains("2 records of todos") && run.errors.contains("1 record of notes"), "\(run.errors)")
    #expect(run.errors.contains("whose owner does not exist needs --yes"), "\(run.errors)")
    #expect(try await ids(demo, "todos") == [1, 2, 3, 4, 5, 6])
  }

  @Test("with --yes a warning counts them", arguments: ["a", "d"]) func orphansWarned(backend: String) async throws {
    let demo = try await start(database: Self.orphans)
    let run = try await home.run(commands: "delete \(backend)/todos 1 --yes").succeeded(printing: "deleted todos/1\n")
    #expect(run.errors.contains("deleting \(backend)/todos/1 also deletes "), "\(run.errors)")
    #expect(run.errors.contains("2 records of todos") && run.errors.contains("1 record of notes"), "\(run.errors)")
    #expect(try await ids(demo, "todos") == [2, 5, 6])
    #expect(try await ids(demo, "notes") == [2])
    // Dependents that the first deletion has removed are not announced again.
    let next = try await home.run(commands: "delete \(backend)/todos 6").succeeded(printing: "deleted todos/6\n")
    #expect(!next.errors.contains("whose owner"), "\(next.errors)")
  }

  @Test("a deletion by condition counts them, too") func orphansOfCondition() async throws {
    let demo = try await start(database: Self.orphans)
    let run = try await home.run(commands: "delete a/todos --where 'id = 1' --yes").succeeded()
    #expect(run.errors.contains("deleting a/todos/1 also deletes \(Self.said)"), "\(run.errors)")
    #expect(try await ids(demo, "todos") == [2, 5, 6])
  }

  @Test("--dry-run counts them and sends nothing that writes") func orphansDry() async throws {
    let demo = try await start(database: Self.orphans)
    let run = try await home.run(commands: "delete a/todos 1 --dry-run")
    #expect(run.status == 0 && run.output.hasPrefix("DELETE /") && run.output.hasSuffix("todos/1\n"), "\(run.output)")
    #expect(run.errors.contains("deleting a/todos/1 also deletes \(Self.said)"), "\(run.errors)")
    #expect(try await ids(demo, "todos").count == 6)
  }

  @Test("every plan says what goes along, whichever command makes it") func planned() async throws {
    let demo = try await start(database: Self.orphans)
    let rest = try home.write("{\"id\": 2}\n", to: "rest.ndjson")
    let plan = home.folder.path + "/a.plan"
    let sentence = "deleting a/users/1 also deletes 1 record of todos, and \(Self.said)\n"
    for command in [
      "delete a/users 1 --dry-run", "delete a/users --where 'id = 1' --dry-run", "delete a/users --where 'id = 1'",
      "sync a/users --from \(rest) --key id --delete --max-delete 100% --dry-run",
      "plan --to \(plan) delete a/users 1", "apply \(plan) --dry-run", "apply \(plan)",
    ] {
      let run = try await home.run(commands: command)
      #expect((run.output + run.errors).contains(sentence), "\(command): \(run.output) \(run.errors)")
    }
    let shown = try await home.run(commands: "plan show \(plan)")
    #expect(shown.errors.contains("the server also deletes records of albums, records of posts, records of todos, and"))
    #expect(shown.errors.contains("an unknown number of records whose owner does not exist"), "\(shown.errors)")
    #expect(try await ids(demo, "users") == [1, 2])
  }

  @Test("undo of a creation says what its deletion takes along, before it is sent") func undone() async throws {
    let demo = try await start(database: Self.orphans)
    try await home.run(commands: "create a/lists title=new").succeeded()
    try await home.run(commands: "undo --all-runs").failed(1, saying: "also deletes \(Self.said)\n", "needs --yes")
    #expect(try await ids(demo, "todos").count == 6)
    let undone = try await home.run(commands: "undo --all-runs --yes")
    #expect(undone.status == 0 && undone.errors.contains("also deletes \(Self.said)\n"), "\(undone.errors)")
    #expect(try await ids(demo, "todos") == [1, 2, 5, 6])
  }

  @Test("what one deletion leaves without its owner goes with the next, and is counted") func following() async throws {
    let demo = try await start(
      database: """
        {"users": [{"id": 1}, {"id": 2}, {"id": 3}], "posts": [{"id": 1, "userId": 1}, {"id": 2, "userId": 2}],
         "comments": [{"id": 1, "postId": 1}, {"id": 2, "postId": 1}, {"id": 3, "postId": 2}]}
        """)
    let run = try await home.run(commands: "delete a/users 1 2 --yes --jobs 1").succeeded()
    #expect(
      run.errors.contains("deleting 2 records of a/users also deletes 2 records of comments whose owner"),
      "\(run.errors)")
    #expect(try await ids(demo, "comments") == [3])
  }

  @Test("a list that cannot be read whole leaves their number unknown, and --yes is needed") func uncounted()
    async throws
  {
    let demo = try await start(database: Self.orphans)
    let run = try await home.run(commands: "set maxScan 4", "delete a/users 2 --yes --dry-run", "delete a/lists 1")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("an unknown number of records of todos and 1 record of notes whose owner"),
      "\(run.errors)")
    #expect(run.errors.contains("delete a/lists/1, and with it "), "\(run.errors)")
    #expect(try await ids(demo, "lists") == [1])
  }

  @Test("at a terminal the question counts them, and only a yes deletes") func orphansAsked() async throws {
    let demo = try await start(database: Self.orphans)
    let console = try ConsoleTmux(in: home, config: home.config, columns: 200, rows: 60)
    try console.clear()
    try console.terminal.enter("delete a/todos 1", expecting: "Delete a/todos/1, and with it \(Self.said) at http")
    try console.terminal.enter("n", expecting: "nothing was deleted")
    #expect(try await ids(demo, "todos").count == 6)
  }

  @Test(
    "a test of the backend writes nothing while its deletions would take records of others along",
    arguments: ["a/todos", "d/todos", "a/users"])
  func judged(target: String) async throws {
    let demo = try await start(database: Self.orphans)
    // A text among the numbers of the lists fails a law that only reads.
    let run = try await home.run(commands: "conformance \(target) --yes")
    let swept = try await home.run(commands: "conformance \(target) --sweep --yes").failed()
    for words in ["a deletion would also delete", "2 records of todos", "1 record of notes", "to a missing record"] {
      #expect(run.output.contains(words) && swept.errors.contains(words), "\(run.output)\(swept.errors)")
    }
    #expect(try await ids(demo, "todos") == [1, 2, 3, 4, 5, 6])
    #expect(try await ids(demo, "notes") == [1, 2])
    #expect(try await ids(demo, "users") == [1, 2])
  }

  @Test("nothing is written where it is unknown what a deletion takes along") func judgedBelow() async throws {
    let demo = try await start(database: Self.orphans)
    let address = "jsonplaceholder:\(demo.base("jsonplaceholder"))/users/2/todos"
    let run = try await home.run(commands: "conformance \(address) --yes --only 'create stores the fields'").succeeded()
    #expect(run.output.contains("an unknown number of records with a reference to a missing record"), "\(run.output)")
    #expect(try await ids(demo, "todos") == [1, 2, 3, 4, 5, 6])
  }

  @Test("no write is tried on a collection of which nothing but the database shows that others go along")
  func tried() async throws {
    let demo = try await start(database: Self.orphans)
    let users = "\(demo.base("jsonplaceholder"))/users"
    let run = try await home.run(commands: "add \(users) u --yes --try-writes")
      .succeeded()
    #expect(run.errors.contains("would also delete 3 records with a reference to a missing record"), "\(run.errors)")
    #expect(try await ids(demo, "todos").count == 6)
    #expect(try await ids(demo, "users") == [1, 2])
  }
}
