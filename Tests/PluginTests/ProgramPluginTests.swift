import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

/// A program that does what it must not ends, with a sentence, and nothing else does.
@Suite struct ProgramPluginTests {
  private let program: HostileProgram

  init() throws { program = try HostileProgram() }

  /// A misdeed of the program and the error that is reported for it.
  struct Deed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    let reported: String
    /// The number of seconds to wait for an answer that never comes. A later limit is used if the machine was too busy
    /// for the deed to be done within the earlier ones.
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
      reported: "answered the question hello with a line that is not valid JSON: expected a value"),
    Deed(
      testDescription: "it writes something too deep", code: "print('[' * 100000, flush=True)",
      reported: "answered the question hello with a line that is not valid JSON: nested more than 256 levels deep"),
    Deed(
      testDescription: "it writes text that is not UTF-8",
      code: "os.write(1, b'{\"number\": 1, \"answer\": {\"name\": \"\\xff\"}}\\n')",
      reported: "answered the question hello with a line that is not valid JSON: a string is not valid UTF-8"),
    Deed(
      testDescription: "it writes a list", code: "print('[]', flush=True)",
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
      reported: "answered the question hello with an object that has an unknown member \"secret\" (known: "),
    Deed(
      testDescription: "it answers what nobody asks", code: "say(number, {**HELLO, 'answers': ['authorize']})",
      reported: "answers the unknown question \"authorize\""),
    Deed(
      testDescription: "it refuses",
      code: "print(json.dumps({'number': number, 'error': {'message': 'not today'}}), flush=True)",
      reported: "refused to start: not today and was stopped"),
    Deed(
      testDescription: "it refuses for an unknown reason",
      code: "print(json.dumps({'number': number, 'error': {'code': 'banana', 'message': 'no'}}), flush=True)",
      reported: "answered the question hello with an error that has the unknown code \"banana\" and was stopped"),
    Deed(
      testDescription: "it refuses without a word",
      code: "print(json.dumps({'number': number, 'error': {'code': 'invalid'}}), flush=True)",
      reported: "answered the question hello with an error that has no message and was stopped"),
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
}
