import BackendClient
import BackendKit
import BackendTestSupport
import CSandbox
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

/// A program that does what it must not ends, with a sentence, and nothing else does.
@Suite struct ProgramPluginTests {
  private let program: HostileProgram

  init() throws { program = try HostileProgram() }

  /// What a deed of the program comes to.
  struct Deed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    let reported: String
    /// How many seconds it has for an answer that never comes. A later one counts where the machine was too busy for the
    /// deed to be done within those before it.
    var limits = [600]
  }

  static let deeds = [
    Deed(
      testDescription: "it ends", code: "sys.stderr.write('a\\nb\\nc\\nd\\n'); sys.exit(3)",
      reported: "ended with status 3; it wrote: a / b / c"),
    Deed(
      testDescription: "it crashes", code: "os.kill(os.getpid(), signal.SIGSEGV)",
      reported: "was ended by Segmentation fault"),
    Deed(
      testDescription: "it hangs", code: "time.sleep(100000)",
      reported: "did not answer within LIMIT seconds and was stopped", limits: [1]),
    Deed(
      testDescription: "it closes its output and goes on", code: "os.close(1); time.sleep(100000)",
      reported: "closed its output and was stopped", limits: [2, 20, 200]),
    Deed(
      testDescription: "it writes garbage", code: "print('hello', flush=True)",
      reported: "answered the question hello with a line that is not a JSON object and was stopped"),
    Deed(
      testDescription: "it writes something too deep", code: "print('[' * 100000, flush=True)",
      reported: "answered the question hello with a line that is not a JSON object and was stopped"),
    Deed(
      testDescription: "it writes more than was asked for",
      code: "print(json.dumps({'number': number, 'answer': HELLO}) + '\\n' + 'more', flush=True)",
      reported: "wrote unexpected output and was stopped"),
    Deed(
      testDescription: "it floods",
      code: "while True: os.write(1, b'more\\n' * 800)",
      reported: "wrote unexpected output and was stopped"),
    Deed(
      testDescription: "it writes a line without an end", code: "while True: sys.stdout.write('x' * 65536)",
      reported: "wrote a line of more than 16 MiB and was stopped"),
    Deed(
      testDescription: "it floods its standard error, and answers nothing",
      code: "while True: sys.stderr.write('no ' * 10000)",
      reported: "did not answer within LIMIT seconds and was stopped; it wrote: no no", limits: [2, 20, 200]),
    Deed(
      testDescription: "it answers another question", code: "say(number + 1, HELLO)",
      reported: "answered a question other than number 1 and was stopped"),
    Deed(
      testDescription: "it speaks another version", code: "say(number, {**HELLO, 'switchboard': 2})",
      reported: "speaks version 2 of the protocol, and this console 1 and was stopped"),
    Deed(
      testDescription: "it has another name", code: "say(number, {**HELLO, 'name': 'grails'})",
      reported: "has the name \"grails\" and was stopped"),
    Deed(
      testDescription: "it wants a secret",
      code: "say(number, {**HELLO, 'options': [{'name': 'a', 'kind': 'text', 'help': 'h', 'secret': True}]})",
      reported: "answered the question hello with an object that has an unknown member \"secret\""),
    Deed(
      testDescription: "it answers what nobody asks", code: "say(number, {**HELLO, 'answers': ['authorize']})",
      reported: "answers the unknown question \"authorize\""),
    Deed(
      testDescription: "it refuses",
      code: "print(json.dumps({'number': number, 'error': {'message': 'not today'}}), flush=True)",
      reported: "refused to start: not today and was stopped"),
    Deed(
      testDescription: "it neither answers nor refuses",
      code: "print(json.dumps({'number': number, 'x': 1}), flush=True)",
      reported: "answered the question hello with neither an answer nor an error and was stopped"),
  ]

  @Test(arguments: deeds) func `What it does wrong ends it, and is said again`(_ deed: Deed) throws {
    let file = try program.write(deed.code)
    for limit in deed.limits {
      let catalog = try program.catalog(.seconds(limit))
      defer { catalog.end() }
      let reported = "the plugin hostile " + deed.reported.replacing("LIMIT", with: "\(limit)")
      let errors = (0..<2).map { _ in #expect(throws: PluginError.self) { try catalog.load("hostile", for: "it") } }
      let isDone = errors.allSatisfy { $0?.message.hasPrefix(reported) == true }
      guard isDone || limit == deed.limits.last else { continue }
      #expect(isDone, "\(errors.map { $0?.message ?? "" })")
      #expect(errors.allSatisfy { $0?.file == file })
      return
    }
  }

  @Test func `A good one is a plugin, started once for each backend`() throws {
    try program.write("say(number, {**HELLO, 'version': str(os.getpid())})")
    let catalog = try program.catalog()
    let first = try catalog.load("hostile", for: "a").version
    #expect(try catalog.load("hostile", for: "a").version == first)
    #expect(try catalog.load("hostile", for: "b").version != first)
    catalog.end()
    #expect(kill(try #require(pid_t(first)), 0) != 0)
  }

  @Test func `It is not started by being found, judged or asked for without a backend`() throws {
    try program.write("say(number, HELLO)")
    let catalog = try program.catalog()
    let entry = try #require(catalog.entries().first { $0.name == "hostile" })
    #expect((entry.kind, entry.state) == (.program, .found))
    #expect(try catalog.load(entry) == nil)
    try catalog.check("hostile")
    #expect(throws: PluginError.self) { try catalog.load("hostile") }
    #expect(!program.folder.holds(".local/state/switchboard/plugins/hostile"))
    _ = try catalog.load("hostile", for: "it")
    #expect(program.folder.holds(".local/state/switchboard/plugins/hostile"))
    catalog.end()
  }

  /// What the program itself says that it can do.
  private func finding(_ code: String) throws -> String {
    try program.write("say(number, {**HELLO, 'summary': 'found: ' + str(\(code))})")
    let catalog = try program.catalog()
    defer { catalog.end() }
    return try catalog.load("hostile", for: "it").summary
  }

  @Test func `It has three variables, a home, three descriptors and the one that it is read from, and no terminal`()
    throws
  {
    let home = program.folder.path + "/.local/state/switchboard/plugins/hostile"
    // What Python itself adds is not the console's.
    #expect(
      try finding("sorted((k, v) for k, v in os.environ.items() if k not in ('LC_CTYPE', 'PYTHONUTF8'))")
        == "found: [('HOME', '\(home)'), ('LANG', 'C.UTF-8'), ('PATH', '/usr/local/bin:/usr/bin:/bin')]")
    #expect(try finding("os.getcwd()") == "found: " + home)
    #expect(try finding("[d for d in range(64) if is_open(d)]") == "found: [0, 1, 2, 3]")
    #expect(try finding("os.readlink('/proc/self/fd/3')") == "found: \(program.folder.path)/switchboard-hostile")
    #expect(try finding("os.getsid(0) == os.getpid() == os.getpgrp()") == "found: True")
    #expect(try finding("attempt(lambda: os.open('/dev/tty', os.O_RDWR))").hasSuffix("Error"))
  }

  @Test(
    .enabled(if: switchboard_sandbox_has_landlock() != 0),
    arguments: [
      "socket.socket()", "socket.socket(socket.AF_UNIX)", "socket.create_connection(('127.0.0.1', 22))",
      "open('/etc/passwd').read()", "os.listdir('/etc')", "open('file', 'w')",
      "open('/dev/shm/file', 'w')", "open('/proc/%d/environ' % os.getppid()).read()",
      "open('/proc/%d/mem' % os.getppid(), 'rb')", "os.kill(os.getppid(), 0)", "os.setpgid(0, os.getppid())",
      "os.chmod(os.path.expanduser('~'), 0o777)", "os.mkdir('folder')", "os.unlink(os.readlink('/proc/self/fd/3'))",
    ])
  func `It has no network, no files, no other process`(_ deed: String) throws {
    #expect(try finding("attempt(lambda: \(deed))") == "found: PermissionError")
  }

  /// Calls of the system as Python makes them, with the number of the machine if the C library has no function of that name.
  static let calls = [
    "shmget(0, 4096, 0o1600)", "shmat(0, 0, 0)", "semget(0, 1, 0o1600)", "semop(0, 0, 0)", "msgget(0, 0o1600)",
    "msgrcv(0, 0, 0, 0, 0o4000)", "mq_open(b'/x', 0o102, 0o600, 0)", "setpriority(0, 0, 19)",
    "setpriority(0, os.getppid(), 19)",
    "sched_setscheduler(0, 3, bytes(8))", "sched_setparam(0, bytes(8))", "sched_setaffinity(0, 8, b'\\xFF' * 8)",
    "unshare(0x10000000)", "unshare(0)", "setns(0, 0)", "prlimit(os.getppid(), 7, 0, 0)",
    "syscall(251 if os.uname().machine == 'x86_64' else 30, 1, 0, 0)",
    "syscall(314 if os.uname().machine == 'x86_64' else 274, 0, bytes(48), 0)",
    "syscall(56 if os.uname().machine == 'x86_64' else 220, 0x10000011, 0, 0, 0, 0)",
  ]

  @Test(.enabled(if: switchboard_sandbox_has_landlock() != 0), arguments: calls)
  func `It shares no memory and no queue, and changes no priority, no scheduling and no namespace`(_ call: String)
    throws
  {
    let found = try finding(
      "(lambda c: (c.CDLL(None, use_errno=True).\(call), c.get_errno()))(__import__('ctypes'))")
    #expect(found == "found: (-1, \(EPERM))")
  }

  @Test func `It can have threads and programs of its own, and read its own limits`() throws {
    #expect(try finding("subprocess.run(['/bin/true']).returncode") == "found: 0")
    #expect(
      try finding("[t.start() or t.join() for t in [__import__('threading').Thread(target=int)]]") == "found: [None]")
    #expect(try finding("len(__import__('resource').getrlimit(7))") == "found: 2")
  }

  @Test func `What it has started ends with it`() async throws {
    try program.write(
      """
      if os.fork() == 0:
          attempt(os.setsid)
          sys.stderr.write(str(os.getpid()))
          sys.stderr.flush()
          print("garbage", flush=True)
      while True: time.sleep(1000)
      """)
    let error = #expect(throws: PluginError.self) { try program.catalog().load("hostile", for: "it") }
    let child = try #require(error?.message.split(separator: " ").last.flatMap { pid_t($0) }, "\(error?.message ?? "")")
    #expect(try await ProcessTable.waitForEnd(of: child))
  }

  // MARK: Questions

  private func client(_ server: FixtureServer, of program: HostileProgram? = nil) throws -> Client {
    let plugin = try (program ?? self.program).catalog().load("hostile", for: "it")
    return Client(
      name: "it", exchange: server, prepared: try plugin.prepare(BackendSettings(name: "it", options: Object())))
  }

  @Test func `The records of a list are asked for together, and a single one alone`() async throws {
    try program.write("pass", at: "nothing")
    let list = (1...1200).map { "{\"id\": \($0)}" }.joined(separator: ",")
    let client = try client(
      FixtureServer { $0.path.segments.count == 1 ? .json(200, "[\(list)]") : .json(200, "{\"id\": 7}") })
    let page = BufferedPage()
    _ = try await client.list(ListRequest(ListQuery(ResourcePath(name: "things"))), to: page.sink)
    let records = await page.records
    #expect(records.map(\.id?.text) == (1...1200).map { "\($0)" })
    let sizes = Set(records.compactMap { $0.fields["of"]?.integer })
    #expect(sizes.max() == 500, "\(sizes)")
    #expect(try await client.get("7", from: ResourcePath(name: "things")).fields["of"] == 1)
  }

  @Test(arguments: [
    ("say(number, {'records': []})", "has 0 records for 1 values and was stopped"),
    (
      "say(number, {'records': [{'fields': {}, 'id': []}]})",
      "whose \"id\" is neither a string nor a number and was stopped"
    ),
    ("say(number, {'records': [{'id': 1}]})", "has no object \"fields\" and was stopped"),
    ("say(number, {'records': [{'error': {'message': 'it is\\nodd.'}}]})", "it is odd"),
    ("sys.exit(1)", "ended with status 1"),
  ])
  func `A wrong answer fails the command that needs it, and the next one`(_ deed: String, _ reported: String)
    async throws
  {
    try program.write(deed, at: "decodeRecord")
    let client = try client(FixtureServer(.json(200, "{\"id\": 7}")))
    for _ in 0..<2 {
      let error = await #expect(throws: BackendError.self) {
        try await client.get("7", from: ResourcePath(name: "things"))
      }
      #expect(error?.message.hasSuffix(reported) == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: [
    ("encodeValues", "say(number, {'fields': {'a': asked['fields']['a'] + 1}, 'notes': ['one more']})", #"{"a":2}"#),
    ("encodeValues", "say(number, {'fields': {'b': asked['isNew']}, 'removed': []})", #"{"b":true}"#),
    (
      "encodeBody", "say(number, {'document': {'data': asked['fields'], 'of': asked['id']}})",
      #"{"data":{"a":1},"of":null}"#
    ),
  ])
  func `A program says how a record is written`(_ question: String, _ deed: String, _ body: String) async throws {
    try program.write(deed, at: question, answers: question)
    let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
    _ = try? await client(server).perform(.create(ResourcePath(name: "things"), Object([("a", 1)])))
    // The response may leave out what was sent: then the record is read.
    let writes = server.requests.filter { $0.method == "POST" }
    #expect(writes.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [body])
  }

  @Test func `A program says what of a query the service does`() async throws {
    try program.write(
      """
      [has] = asked["filters"]
      say(number, {"parameters": [[has["field"], has["is"] + has["operand"]["word"]]], "filters": ["superset"]})
      """, at: "compileQuery", answers: "compileQuery")
    let server = FixtureServer(.json(200, "[{\"id\": 1, \"a\": 5}, {\"id\": 2, \"a\": 50}]"))
    let query = ListQuery(
      ResourcePath(name: "things"), filters: [.compare(FieldPath("a"), .greater, .word("10"))])
    let page = BufferedPage()
    _ = try await client(server).list(ListRequest(query), to: page.sink)
    #expect(server.summaries == ["GET /things?a=%3E10"])
    #expect(await page.records.map(\.id) == ["2"])
  }

  @Test func `A step sends a request before a write, or another in its place, and never one with credentials`()
    async throws
  {
    func sent(_ step: String) async throws -> (requests: [String], error: BackendError?) {
      let program = try HostileProgram()
      try program.write(
        """
        if asked["responses"]: say(number, {"step": "usual"})
        else: \(step)
        """, at: "interceptWrite", answers: "interceptWrite")
      let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
      let client = try client(server, of: program)
      do {
        _ = try await client.perform(.create(ResourcePath(name: "things"), Object([("a", 1)])))
        return (server.summaries, nil)
      } catch { return (server.summaries, error) }
    }
    let first = try await sent("say(number, {'step': 'send', 'request': {'method': 'GET', 'path': ['lock', 'a b']}})")
    #expect(first.requests == ["GET /lock/a%20b", "POST /things"], "\(String(describing: first.error))")
    let other = try await sent(
      "say(number, {'step': 'instead', 'request': {'method': 'PUT', 'path': ['things', '7'], 'query': [['x', '1']]}})")
    #expect(other.requests == ["PUT /things/7?x=1"], "\(String(describing: other.error))")
    for bad in ["'headers': [['Cookie', 'a']]", "'path': ['..']", "'method': 'get'", "'link': 'http://other'"] {
      let refused = try await sent(
        "say(number, {'step': 'send', 'request': {'method': 'GET', 'path': ['a'], \(bad)}})")
      #expect(refused.requests.isEmpty && refused.error?.effect == .notSent, "\(bad) \(refused)")
      #expect(refused.error?.message.contains("answered the question interceptWrite") == true, "\(bad) \(refused)")
    }
    let failed = try await sent(
      "print(json.dumps({'number': number, 'error': {'message': 'it is locked'}}), flush=True)")
    #expect(failed.requests.isEmpty && failed.error?.message == "it is locked", "\(failed)")
  }

  @Test func `It is asked for its description once for its login and once for each backend, and for no check`()
    async throws
  {
    try program.write(
      """
      count = globals().get("count", 0) + 1
      say(number, {"description": {"product": f"asked {count} times", "resources": {"things": {"create": {}}}}})
      """, at: "describe")
    let plugin = try program.catalog().load("hostile", for: "it")
    let settings = BackendSettings(name: "it", options: Object())
    let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
    let client = Client(name: "it", exchange: server, prepared: try plugin.prepare(settings))
    for number in 0..<50 {
      try await client.check(.create(ResourcePath(name: "things"), Object([("a", .int(number))])))
    }
    #expect(try await client.describe(.known).product == "asked 2 times")
    let next = try plugin.prepare(settings).attach(server)
    #expect(try await next.describe(.known).product == "asked 3 times")
    #expect(server.summaries == [])
  }

  @Test(arguments: ["['..']", "['']", "['a\\0b']", "[]", "'a'", "None"])
  func `A path that is none is refused before anything is sent`(_ path: String) async throws {
    try program.write("say(number, {'path': \(path)})", at: "itemPath")
    let server = FixtureServer(.json(200, "{\"id\": 7}"))
    let client = try client(server)
    let error = await #expect(throws: BackendError.self) {
      try await client.get("7", from: ResourcePath(name: "things"))
    }
    #expect(error?.effect == .notSent)
    #expect(server.summaries.isEmpty)
  }

  @Test(arguments: [
    ("{'resources': {'things': {'page': {'style': 'numbr'}}}}", "did you mean number?"),
    ("{'resources': {}, 'hooks': {'decodeRecord': 'grails/announcements'}}", "described its service with hooks"),
    ("7", "answered the question describe without a description"),
  ])
  func `A description with a mistake makes no backend`(_ description: String, _ reported: String) throws {
    try program.write("say(number, {'description': \(description)})", at: "describe")
    let error = #expect(throws: BackendError.self) { try client(FixtureServer(.json(200, "[]"))) }
    #expect(error.map { "\($0)" }?.contains(reported) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.code == .misconfigured)
  }
}

/// Which files are programs that are started.
@Suite struct ProgramFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func problem(_ text: String, mode: Int) throws -> String? {
    let file = try folder.write(text, to: "switchboard-x", mode: mode)
    return PluginFile(name: "x", path: file, kind: .program, owners: []).problem()?.description
      .replacingOccurrences(of: file, with: "FILE")
  }

  @Test func `Who may write to it and what it is decides`() throws {
    #expect(try problem("#!/bin/sh\n", mode: 0o700) == nil)
    #expect(try problem("#!/bin/sh\n", mode: 0o600) == "FILE is not executable; chmod u+x FILE")
    #expect(try problem("echo\n", mode: 0o700) == "FILE is not a program; a script begins with #! and its interpreter")
    #expect(try problem("", mode: 0o700) == "FILE is not a program; a script begins with #! and its interpreter")
    #expect(
      try problem("#!/bin/sh\n", mode: 0o722)
        == "FILE is not safe to open: FILE is writable by others (mode 0722); chmod go-w FILE")
  }

  @Test func `Documents, folders and the console's own programs are passed over`() throws {
    try folder.write("", to: "switchboard-x.md", mode: 0o700)
    try folder.write("", to: "switchboard-X", mode: 0o700)
    _ = try folder.makeFolder("switchboard-folder")
    try folder.write("#!/bin/sh\n", to: "switchboard-y", mode: 0o700)
    #expect(PluginCatalog(searchPath: [PluginFolder(folder.path)]).entries().map(\.name) == ["y"])
    let executable = folder.path + "/switchboard"
    #expect(PluginCatalog.default(executable: executable, pluginPaths: [], environment: [:]).entries().isEmpty)
  }

  @Test func `A library is found before a program of its name`() throws {
    try folder.write("", to: "libswitchboard-x.so")
    try folder.write("#!/bin/sh\n", to: "switchboard-x", mode: 0o700)
    let entries = PluginCatalog(searchPath: [PluginFolder(folder.path)]).entries()
    #expect(entries.map(\.kind) == [.library, .program])
    #expect(entries.last?.state == .shadowed(by: folder.path + "/libswitchboard-x.so"))
  }

  @Test func `The file that was judged is the one that is started`() throws {
    let program = try HostileProgram()
    let path = try program.write("say(number, {**HELLO, 'version': 'judged'})")
    let file = PluginFile(name: "hostile", path: path, kind: .program, owners: [])
    let process = PluginProcess(
      try file.judged(), ProgramSurroundings(["HOME": program.folder.path]), limit: .seconds(600))
    let other = try program.folder.write("#!/bin/sh\necho other\n", to: "other", mode: 0o700)
    try #require(rename(other, path) == 0)
    let answer = try process.ask("hello", Object()).get()
    #expect(answer["version"] == "judged")
    process.end()
  }
}
