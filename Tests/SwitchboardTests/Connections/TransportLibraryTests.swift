import ConsoleSupport
import Foundation
import Testing

/// The library that does the networking: opened with the first connection, and judged before it is used.
@Suite("The transport's library") struct TransportLibraryTests {
  private let console: BareConsole
  private var library: String { console.library }

  init() throws { console = try BareConsole(lacking: "libHTTPTransport.so") }

  private func compile(stamp: String) throws {
    try console.compile(
      """
      const char *switchboard_transport_stamp(void) { return "\(stamp)"; }
      void *switchboard_transport(void) { abort(); }
      """)
  }

  @Test("what sends nothing does without it") func unused() async throws {
    let run = try await console.run("help quit")
    #expect((run.status, run.errors) == (0, ""))
  }

  @Test("a command that needs it says where it is missing") func missing() async throws {
    let run = try await console.run("get grails:http://127.0.0.1:9 1")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("nothing can be sent: \(library) cannot be opened"))
    #expect(run.errors.contains("still building? wait; otherwise reinstall"))
  }

  @Test("another library in its place is refused") func foreign() async throws {
    try FileManager.default.copyItem(
      atPath: ConsoleRun.products.appending(path: "libswitchboard-grails.so").path, toPath: library)
    let run = try await console.run("get grails:http://127.0.0.1:9 1")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("\(library) is not a library of this console"))
  }

  @Test("one of another build is refused before its entry is called") func stale() async throws {
    try compile(stamp: "switchboard_stamp.kit.0123456789abcdef.swift_6.3.x86_64_linux.debug.01234567")
    let run = try await console.run("get grails:http://127.0.0.1:9 1")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("\(library) belongs to another build of this console"))
  }

  @Test("one whose stamp is right is entered") func entered() async throws {
    let version = try await ConsoleRun.run(["--version"], in: console.home)
    try compile(stamp: try #require(version.output.split(separator: "\n").dropFirst().first.map(String.init)))
    let run = try await console.run("get grails:http://127.0.0.1:9 1")
    // The entry of this one ends the process: that shows that the refusals above came before it.
    #expect(run.status == 128 + SIGABRT)
  }
}
