import BackendKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ConsoleSetup
@testable import ConsoleSystem

/// Programs that provide secrets, run as they are.
@Suite struct CredentialHelperTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A script that counts its runs in a file.
  private func script(_ body: String) throws -> HelperCommand {
    let path = try folder.write("#!/bin/sh\necho run >> \"$0.runs\"\n\(body)\n", to: "helper", mode: 0o700)
    return HelperCommand(words: [path, "one word", "$HOME"], folder: folder.path)
  }

  private var runs: Int { folder.text(of: "helper.runs")?.count { $0 == "\n" } ?? 0 }

  private func helpers(
    _ blanking: Blanking = Blanking(), limit: Duration = .seconds(300), now: @escaping @Sendable () -> Int = { 1000 }
  ) -> CredentialHelpers {
    CredentialHelpers(ChildEnvironment(["PATH": "/usr/bin:/bin"]), blanking, limit: limit, now: now)
  }

  private func clause(_ command: HelperCommand, _ helpers: CredentialHelpers) -> String? {
    #expect(throws: HelperFailure.self) { try helpers.answer(command) }?.clause
  }

  @Test func `The first line is the secret; arguments come as they are, and there is no input and no terminal`() throws
  {
    let blanking = Blanking()
    let command = try script(
      #"""
      printf '%s|%s|%s|' "$1" "$2" "$PWD"
      if read line; then echo input; elif (: < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi
      echo more
      """#)
    let answer = try helpers(blanking).answer(command)
    #expect(answer.text == "one word|$HOME|\(folder.path)|none")
    #expect(blanking.text("<\(answer.text ?? "")>") == "<[blanked]>")
  }

  @Test func `It is run once for the process, and again once it has been refused`() throws {
    let command = try script(#"echo "s3cret-$(wc -l < "$0.runs" | tr -d ' ')""#)
    let helpers = helpers()
    #expect(try helpers.answer(command).text == "s3cret-1" && helpers.answer(command).text == "s3cret-1")
    #expect(try helpers.answer(command, isRefused: true).text == "s3cret-2")
    #expect(try helpers.answer(command).text == "s3cret-2")
    #expect(runs == 2)
  }

  @Test(arguments: ["59", "\"1970-01-01T00:17:39Z\"", "\"1970-01-01T01:17:39.5+01:00\""])
  func `What expires is asked for again from then on`(_ expires: String) throws {
    let clock = Clock(time: 1000)
    let command = try script(#"echo '{"username": "ana", "password": "s3cret", "expires": \#(expires)}'"#)
    let helpers = helpers(now: { clock.now })
    for (now, expected) in [(1000, 1), (1058, 1), (1060, 2)] {
      clock.now = now
      let answer = try helpers.answer(command)
      #expect(answer.members["password"] == "s3cret" && answer.members["username"] == "ana")
      #expect(runs == expected, "at \(now)")
    }
  }

  @Test func `A failure is reported with the program's own words on standard error, never with its output`() throws {
    let command = try script("echo s3cret; echo 'the vault is locked' >&2; echo more >&2; exit 3")
    #expect(clause(command, helpers()) == "ended with status 3: the vault is locked")
  }

  @Test(arguments: [
    ("true", "returned nothing"), ("echo", "returned nothing"),
    ("echo '{\"a\": '", "returned output that begins with { but is not"),
    ("printf '\\377\\n'", "returned output that is not valid UTF-8"), ("kill -9 $$", "was ended by Killed"),
    ("echo '{\"secret\": \"x\", \"expires\": \"soon\"}'", "returned an \"expires\" that is neither an ISO 8601"),
    ("head -c 70000 /dev/zero", "wrote more than 64 KiB"), ("yes", "wrote more than 64 KiB"),
  ])
  func `What is no secret is reported`(_ body: String, _ expected: String) throws {
    let clause = clause(try script(body), helpers())
    #expect(clause?.hasPrefix(expected) == true, "\(clause ?? "")")
  }

  @Test func `A program that is not there is reported`() throws {
    let command = HelperCommand(words: ["switchboard-no-such-program"], folder: folder.path)
    #expect(clause(command, helpers()) == "cannot be started: No such file or directory")
  }

  @Test func `One that does not end is killed with all that it has started`() throws {
    try Program.run("mkfifo", folder.path + "/fifo")
    // Both wait for a writer that never comes; the names of the processes are in the file.
    let command = try script(#"cat fifo & echo "$! $$" > pids; cat fifo"#)
    var processes: [Int32] = []
    // The first limit that a busy machine leaves it enough time in to start them both.
    for limit in [1_500, 15_000, 150_000] where processes.count != 2 {
      #expect(clause(command, helpers(limit: .milliseconds(limit)))?.hasPrefix("did not finish within") == true)
      processes = (folder.text(of: "pids") ?? "").split { $0 == " " || $0 == "\n" }.compactMap { Int32($0) }
    }
    #expect(processes.count == 2)
    for process in processes {
      // A zombie of nobody's may be left for a moment.
      while kill(process, 0) == 0, !Self.isDead(process) { usleep(1000) }
    }
  }

  private static func isDead(_ process: Int32) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat?.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }

  @Test func `One that leaves something running in the background is not waited for`() throws {
    #expect(try helpers().answer(try script("sleep 600 & echo $! > pid; echo s3cret")).text == "s3cret")
    let process = try #require(folder.text(of: "pid").flatMap { Int32($0.filter(\.isNumber)) })
    kill(process, SIGKILL)
  }

  @Test func `A program gives the credentials that a backend wants, by name or as a whole`() throws {
    let fixture = try ConfigurationFixture()
    func credentials(_ members: String, _ body: String, _ wanted: [LoginScheme.Credential]) throws -> [LoginScheme
      .Credential: String]
    {
      let program = try #require(try script(body).words.first)
      let backend = try fixture.backend(members.replacing("PROGRAM", with: program))
      return try backend.credentials(wanted, isRefused: false, helpers: helpers()).values
    }
    let one = #""credentials": {"username": "ana", "password": {"command": ["PROGRAM"]}}"#
    let all = #""credentials": {"command": ["PROGRAM"]}"#
    #expect(try credentials(one, "echo pw", [.username, .password]) == [.username: "ana", .password: "pw"])
    #expect(
      try credentials(one, #"echo '{"secret": "pw"}'"#, [.username, .password]) == [.username: "ana", .password: "pw"])
    #expect(
      try credentials(all, #"echo '{"username": "zoe", "password": "pw"}'"#, [.username, .password])
        == [.username: "zoe", .password: "pw"])
    #expect(try credentials(all, "echo t0ken", [.token]) == [.token: "t0ken"])
    let error = #expect(throws: BackendError.self) { try credentials(all, "echo pw", [.username, .password]) }
    #expect(error?.message.hasSuffix("/helper gave no \"username\"") == true, "\(String(describing: error))")
    #expect(error?.message.contains("backends.b.credentials: the program") == true && error?.code == .misconfigured)
  }
}

/// A clock that stands where a test puts it.
private final class Clock: Sendable {
  private let time: Mutex<Int>

  init(time: Int) { self.time = Mutex(time) }

  var now: Int {
    get { time.withLock(\.self) }
    set { time.withLock { $0 = newValue } }
  }
}
