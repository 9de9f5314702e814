import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// A `config.json` of the current folder that nobody has trusted: it may add backends and decide nothing.
@Suite("Untrusted folders") struct UntrustedFolderTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(
    _ arguments: String..., input: String = "", variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await ConsoleRun.run(arguments, input: input, in: home, variables: variables)
  }

  /// A backend of the Grails dialect.
  private func grails(_ demo: DemoProcess) -> String {
    #"{"plugin": "grails", "url": "\#(demo.base("grails"))", "resource": "announcements"}"#
  }

  private func requests(_ demo: DemoProcess) async throws -> Int? {
    try await demo.send("GET", "/_demo/requests").object()["total"] as? Int
  }

  @Test("its default, its settings and its names do not count, and that is said") func nothingElse() async throws {
    let (mine, theirs) = (try await DemoProcess.start(["--memory"]), try await DemoProcess.start(["--memory"]))
    try home.writeOwn(#"{"default": "intranet", "backends": {"intranet": \#(grails(mine))}}"#)
    _ = try home.write(
      """
      {"switchboard": 1, "default": "scratch", "settings": {"onError": "continue", "output": "json"}, "backends": {
        "scratch": \(grails(theirs)),
        "intranet": \(grails(theirs))}}
      """, to: "config.json")
    let list = try await run("-c", "list -n 2", "-c", "list intranet -n 1 -o id", "-c", "backends -o id")
    #expect((list.status, list.output.hasSuffix("1\nintranet\nscratch\n")) == (0, true), "\(list.output)")
    #expect(!list.output.contains("["))
    for part in ["default", "settings", "already in your own configuration (intranet)", "config trust"] {
      #expect(list.errors.contains(part), "\(list.errors)")
    }
    let script = try await run("--stream", input: "use nope\ndelete 1 2 --yes\n")
    #expect((script.status, script.output) == (2, ""))
    #expect(try await requests(theirs) == 0)
    #expect(try await run("-c", "count intranet").output == "6\n")
  }

  @Test(
    "with a mistake in it, it is ignored with a warning", arguments: ["{\"switchboard\": 1,", "{\"switchboard\": 9}"])
  func mistake(text: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    try home.writeOwn(#"{"default": "mine", "backends": {"mine": \#(grails(demo))}}"#)
    _ = try home.write(text, to: "config.json")
    let run = try await run("-c", "count")
    #expect((run.status, run.output) == (0, "6\n"))
    #expect(run.errors.hasPrefix("warning: config.json is ignored: config.json:1: "), "\(run.errors)")
    let json = try await self.run("--errors", "json", "-c", "count")
    #expect(json.errors.hasPrefix(#"{"level":"warning","message":"config.json is ignored: "#), "\(json.errors)")
  }

  @Test("`backends` says which are its") func listed() async throws {
    try home.writeOwn(#"{"backends": {"mine": {"plugin": "grails", "url": "demo:grails"}}}"#)
    _ = try home.write(
      #"{"switchboard": 1, "backends": {"theirs": {"plugin": "kitura", "url": "http://127.0.0.1:9"}}}"#,
      to: "config.json")
    let people = try await run("-c", "backends")
    #expect(people.output.contains(/theirs .*not trusted\n/) && !people.output.contains(/mine .*not trusted/))
    let programs = try await run("-c", "backends -o json")
    let rows = try JSONSerialization.jsonObject(with: Data(programs.output.utf8)) as? [[String: Any]]
    #expect(rows?.map { $0["trusted"] as? Bool } == [true, false])
  }

  @Test("its backends take no resource and no identifier of the current backend away") func names() async throws {
    let (mine, theirs) = (try await DemoProcess.start(["--memory"]), try await DemoProcess.start(["--memory"]))
    try home.writeOwn(
      """
      {"default": "js", "backends": {
        "js": {"plugin": "jsonplaceholder", "url": "\(mine.base("jsonplaceholder"))", "resource": "todos"}}}
      """)
    _ = try home.write(
      """
      {"switchboard": 1, "backends": {"users": \(grails(theirs)), "alpha": \(grails(theirs))}}
      """, to: "config.json")
    let used = try await run("-c", "count users", "-c", "use users", "-c", "count")
    #expect((used.status, used.output) == (0, "10\n10\n"), "\(used.errors)")
    let identifier = try await run("-c", "get alpha")
    #expect(identifier.errors.contains("alpha: not found"), "\(identifier.errors)")
    let login = try await run("-c", "login alpha", variables: ["SWITCHBOARD_PASSWORD": "x"])
    #expect(!login.errors.contains("not trusted"), "\(login.errors)")
    let bare = try await run("-c", "count alpha")
    #expect(bare.status == 2)
    #expect(bare.errors.contains("did you mean alpha/?"), "\(bare.errors)")
    #expect(try await requests(theirs) == 0)
    // Who means them says so.
    #expect(try await run("-c", "count alpha/", "-c", "use alpha", "-c", "count").output == "6\n6\n")
    #expect(try await run("-c", "use alpha", "-c", "count users/").output == "6\n")
  }

  @Test("the first use of one of its backends says the address, once") func address() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    _ = try home.write(#"{"switchboard": 1, "backends": {"scratch": \#(grails(demo))}}"#, to: "config.json")
    let used = try await run("-c", "count scratch", "-c", "count scratch")
    #expect((used.status, used.output) == (0, "6\n6\n"))
    #expect(
      used.errors
        == "note: scratch is a backend in config.json, which is not trusted; its address is \(demo.base("grails"))\n")
    #expect(try await run("-c", "config trust").status == 0)
    let trusted = try await run("-c", "count scratch")
    #expect((trusted.output, trusted.errors) == ("6\n", ""))
  }

  @Test("nobody logs in to its backends, with whatever password", arguments: ["--password-file secret", ""])
  func login(option: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    _ = try home.write(
      """
      {"switchboard": 1, "backends": {
        "baasic": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"}}}
      """, to: "config.json")
    _ = try home.write("correct horse\n", to: "secret")
    let run = try await run("-c", "login baasic ana \(option)", variables: ["SWITCHBOARD_PASSWORD": "correct horse"])
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("a login takes effect only in a trusted configuration"))
    #expect(try await requests(demo) == 0)
  }

  @Test("a login that was kept is not used for a backend of the same name and address") func token() async throws {
    let server = try SocketServer(SocketServer.json(200, "[]"))
    let named = try home.write(
      #"{"switchboard": 1, "backends": {"b": {"plugin": "baasic", "url": "\#(server.address)", "resource": "todo"}}}"#,
      to: "config.json")
    try FileManager.default.createDirectory(
      at: home.folder.appending(path: "state/switchboard/tokens"), withIntermediateDirectories: true)
    _ = try home.write(
      "{\"address\":\"\(server.address)\",\"user\":\"ana\",\"token\":\"t0ken\",\"margin\":0}",
      to: "state/switchboard/tokens/b")
    _ = try await run("--config", named, "-c", "list b/todo")
    #expect(server.texts.contains { $0.contains("t0ken") }, "the fixture has to use it where that is right")
    let before = server.texts.count
    _ = try await run("-c", "list b/todo")
    #expect(server.texts.count > before)
    #expect(!server.texts[before...].contains { $0.contains("t0ken") })
  }

  @Test("a restricted run asks none of its backends") func restricted() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    _ = try home.write(#"{"switchboard": 1, "backends": {"scratch": \#(grails(demo))}}"#, to: "config.json")
    for command in ["count scratch", "use scratch", "describe scratch"] {
      let run = try await run("--restricted", "-c", command)
      #expect((run.status, run.output) == (2, ""))
      #expect(run.errors.contains("only backends of a trusted configuration are available"), "\(run.errors)")
    }
    #expect(try await requests(demo) == 0)
    _ = try await run("-c", "config trust")
    #expect(try await run("--restricted", "-c", "count scratch").output == "6\n")
  }

  @Test("what is trusted is shown with its digest, and a changed certificate ends the trust")
  func trust() async throws {
    _ = try home.write(
      """
      {"switchboard": 1, "backends": {"b": {"plugin": "grails", "url": "https://127.0.0.1:1", "resource": "announcements",
        "tls": {"ca": "ca.pem", "cert": "ca.pem", "key": "key.pem"}}}}
      """, to: "config.json")
    _ = try home.write("one", to: "ca.pem")
    _ = try home.write("key", to: "key.pem")
    let trusting = try await run("-c", "config trust")
    #expect(trusting.status == 0)
    for name in ["config.json", "ca.pem"] {
      let digest = try Program.run("sha256sum", home.folder.appending(path: name).path).prefix(64)
      #expect(trusting.output.contains(digest), "\(trusting.output)")
    }
    #expect(trusting.output.contains("mode 0600"))
    let digest = try Program.run("sha256sum", home.folder.appending(path: "key.pem").path).prefix(64)
    #expect(!trusting.output.contains(digest))
    let used = try await run("-c", "count b")
    #expect(!used.errors.contains("not trusted"), "\(used.errors)")
    _ = try home.write("two", to: "ca.pem")
    let changed = try await run("-c", "count b")
    #expect(changed.status == 3)
    #expect(changed.errors.contains("ca.pem has changed since"))
    let elsewhere = try await run("--config", ConsoleTerminal.config, "-c", "config trust")
    #expect(elsewhere.status == 2)
  }
}
