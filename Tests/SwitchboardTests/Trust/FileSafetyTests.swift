import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Files that the console writes where others may write, too, or that two runs write at once.
@Suite("Safety of files") struct FileSafetyTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func path(_ name: String) -> String { home.folder.path + "/" + name }

  private func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

  /// A folder that everybody may write to, with a link of another user in it that leads to a file of the operator's.
  private func plant(_ name: String) throws {
    _ = try home.write("precious", to: "precious")
    let folder = path("open")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try #require(chmod(folder, 0o1777) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: path("precious"))
    try #require(lchown(folder + "/" + name, 65_534, 65_534) == 0)
  }

  @Test("two runs that write one file at once each leave a whole result, and a failed one names its own draft")
  func together() async throws {
    // The first of them waits in the middle of its list until the second is over.
    let demo = try await DemoProcess.late()
    let config = try home.write(
      """
      {"switchboard": 1, "default": "todolist", "backends": {
        "intranet": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
        "todolist": {"plugin": "kitura", "url": "demo:kitura", "resource": "todos"}}}
      """, to: "two.json")
    let slow = try ConsoleRun.start(
      ["--config", config, "--stream", "-c", "get intranet/announcements 3 -o id --to ids"], in: home)
    try await demo.waitForRequests()
    let fast = try await ConsoleRun.run(["--config", config, "-c", "list -n 2 -o id --to ids"], in: home)
    #expect((fast.status, fast.errors.contains("incomplete")) == (0, false), "\(fast.errors)")
    let whole = try #require(text("ids"))
    #expect(whole.split(separator: "\n").count == 2)
    let ending = try await slow.end(by: SIGINT)
    #expect(!ending.errors.contains("ids"), "it has nothing to name: \(ending.errors)")
    #expect(text("ids") == whole)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
    #expect(!names.contains { $0.hasPrefix("ids.") }, "\(names)")
  }

  @Test("a failed run names what there is of its result, in a file of that run alone") func failed() async throws {
    var drafts: Set<String> = []
    for _ in 0..<2 {
      let run = try await home.runShipped("-c", "get 3 99 -o id --to ids")
      let draft = try #require(run.errors.firstMatch(of: /incomplete result is in (\S+)/)).1
      #expect(try String(contentsOfFile: String(draft), encoding: .utf8) == "3\n")
      drafts.insert(String(draft))
    }
    #expect(drafts.count == 2)
    #expect(text("ids") == nil)
  }

  // Only root can give files away.
  @Test(
    "a link or file that another user has put in the way of a result is not written to", .enabled(if: geteuid() == 0))
  func planted() async throws {
    for name in ["ids.partial", "ids"] {
      try? FileManager.default.removeItem(atPath: path("open"))
      try plant(name)
      let run = try await home.runShipped("-c", "list -o id -n 2 --to open/ids")
      for command in ["count --append open/\(name)", "tee open/\(name)"] {
        let added = try await home.runShipped("-c", command)
        #expect(
          added.status == 2 && added.errors.contains("is a symbolic link owned by another user (65534)"),
          "\(added.errors)")
      }
      #expect(text("precious") == "precious", "\(name)")
      if name == "ids" {
        #expect(run.status == 2)
        #expect(
          run.errors.contains("is a symbolic link owned by another user (65534) in a folder that others may write to"))
      } else {
        #expect((run.status, text("open/ids")) == (0, "1\n2\n"))
      }
    }
    // A draft that was there before does not become the result.
    try FileManager.default.removeItem(atPath: path("open/ids"))
    _ = try home.write("", to: "open/ids.partial")
    try #require(chmod(path("open/ids.partial"), 0o666) == 0)
    try #require(chown(path("open/ids.partial"), 65_534, 65_534) == 0)
    #expect(try await home.runShipped("-c", "list -o id -n 2 --to open/ids").status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: path("open/ids"))
    #expect(attributes[.ownerAccountID] as? Int == 0)
  }

  @Test(
    "a log or recording goes to no file or link of another user", .enabled(if: geteuid() == 0),
    arguments: ["--log", "--record"])
  func added(option: String) async throws {
    try plant("kept")
    try? FileManager.default.removeItem(atPath: path("precious"))
    _ = try home.write("", to: "precious")
    let linked = try await home.runShipped(option, path("open/kept"), "-c", "count")
    #expect((linked.status, linked.output, text("precious")) == (2, "", ""))
    #expect(linked.errors.contains("is a symbolic link owned by another user (65534)"))
    _ = try home.write("", to: "theirs")
    try #require(chown(path("theirs"), 65_534, 65_534) == 0)
    let foreign = try await home.runShipped(option, path("theirs"), "-c", "count")
    #expect((foreign.status, foreign.output, text("theirs")) == (2, "", ""))
    #expect(foreign.errors.contains("belongs to another user (65534)"))
  }

  @Test(
    "nothing is read through a link that another user has planted", .enabled(if: geteuid() == 0),
    arguments: [
      ["-c", "import todolist open/rows.csv --dry-run"], ["-c", "delete todolist --from open/rows.csv --dry-run"],
      ["-c", "create todolist title=@open/rows.csv --dry-run"], ["-f", "open/rows.csv"],
      ["-c", "source open/rows.csv"],
      ["-c", "sql --table t=open/rows.csv SELECT count(*) FROM t"],
      ["-c", "sql --table t=open/rows.db:t SELECT count(*) FROM t"],
    ])
  func read(arguments: [String]) async throws {
    try plant("rows.csv")
    try FileManager.default.createSymbolicLink(atPath: path("open/rows.db"), withDestinationPath: path("precious"))
    try #require(lchown(path("open/rows.db"), 65_534, 65_534) == 0)
    let run = try await home.runShipped(arguments.map { $0.replacing("open/", with: path("open") + "/") })
    #expect(run.status != 0 && run.errors.contains("is a symbolic link owned by another user (65534)"), "\(run.errors)")
    // One's own link there is followed.
    for name in ["rows.csv", "rows.db"] { try #require(lchown(path("open/\(name)"), 0, 0) == 0) }
    let own = try await home.runShipped(arguments.map { $0.replacing("open/", with: path("open") + "/") })
    #expect(!own.errors.contains("symbolic link"), "\(own.errors)")
  }

  /// True if a file can be mounted over another one for a single process.
  private static let canMount =
    geteuid() == 0 && (try? Program.run("unshare", "-m", "mount", "--bind", "/etc/passwd", "/etc/passwd")) != nil

  @Test(
    "a group is not private where it is the primary group of another user", .enabled(if: canMount),
    arguments: [("", 0), ("eve:x:54321:0::/:/bin/sh\n", 3)])
  func privateGroup(user: String, status: Int) async throws {
    let users = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
    let passwd = try home.write(users + user, to: "passwd")
    try #require(chmod(passwd, 0o644) == 0)
    let config = try home.write("{\"switchboard\": 1}", to: "shared.json")
    try #require(chmod(config, 0o664) == 0)
    let command =
      "mount --bind \(passwd) /etc/passwd && exec \(ConsoleRun.executable.path) --config \(config) -c 'help quit'"
    let run = try await ConsoleRun.runProgram(
      ["-m", "sh", "-c", command], bytes: [], in: home, executable: "/usr/bin/unshare")
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains("it is writable by others (mode 0664)") == (status == 3))
  }

  @Test(
    "what others write to the file of standard output before and after a result stays",
    arguments: ["--to /dev/stdout", "--append /dev/stdout", "--to /dev/fd/1", "--append /proc/self/fd/1"])
  func standardOutput(option: String) async throws {
    let line = "{ echo before; \"$0\" --config \"$1\" count \(option); echo after; } > mixed"
    let run = try await home.shell(line, ConsoleTerminal.config)
    #expect((run.status, text("mixed")) == (0, "before\n6\nafter\n"), "\(run.errors)")
  }

  @Test("a log may go to a pipe that the operator named") func pipe() async throws {
    let run = try await home.shell("\"$0\" --config \"$1\" --log >(cat >&2) -c count; wait", ConsoleTerminal.config)
    #expect((run.status, run.output) == (0, "6\n"))
    #expect(run.errors.contains("\"outcome\":\"ok\""))
  }
}
