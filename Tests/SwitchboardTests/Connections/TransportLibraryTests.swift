import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The library that does the networking: opened with the first connection, and judged before it is used.
@Suite("The transport's library") struct TransportLibraryTests {
  private let home: ConsoleRun.Home
  private let console: String
  private let library: String

  /// An installation of the console in a folder of its own, without the library.
  init() throws {
    home = try ConsoleRun.Home()
    let folder = home.folder.appending(path: "bin").path
    console = try BuiltFolder.ofPrograms.install([], in: folder)
    library = folder + "/libHTTPTransport.so"
  }

  private func run(_ command: String) async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(
      ["--plugin-path", ConsoleRun.products.path, "-c", command], bytes: [], in: home, executable: console)
  }

  private func compile(stamp: String) throws {
    let source = try home.write(
      """
      #include <stdlib.h>
      const char *switchboard_transport_stamp(void) { return "\(stamp)"; }
      void *switchboard_transport(void) { abort(); }
      """, to: "library.c")
    try Program.run("cc", "-shared", "-fPIC", "-o", library, source)
  }

  @Test("what sends nothing does without it") func unused() async throws {
    let run = try await run("help quit")
    #expect((run.status, run.errors) == (0, ""))
  }

  @Test("a command that needs it says where it is missing") func missing() async throws {
    let run = try await run("get grails:http://127.0.0.1:9 1")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("nothing can be sent: \(library) cannot be opened"))
    #expect(run.errors.contains("still building? wait; otherwise reinstall"))
  }

  @Test("another library in its place is refused") func foreign() async throws {
    try FileManager.default.copyItem(
      atPath: ConsoleRun.products.appending(path: "libswitchboard-grails.so").path, toPath: library)
    let run = try await run("get grails:http://127.0.0.1:9 1")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("\(library) is not a library of this console"))
  }

  @Test("one of another build is refused before its entry is called") func stale() async throws {
    try compile(stamp: "switchboard_stamp.kit.0123456789abcdef.swift_6.3.x86_64_linux.debug.01234567")
    let run = try await run("get grails:http://127.0.0.1:9 1")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("\(library) belongs to another build of this console"))
  }

  @Test("one whose stamp is right is entered") func entered() async throws {
    let version = try await ConsoleRun.run(["--version"], in: home)
    try compile(stamp: try #require(version.output.split(separator: "\n").last.map(String.init)))
    let run = try await run("get grails:http://127.0.0.1:9 1")
    // The entry of this one ends the process: that shows that the refusals above came before it.
    #expect(run.status == 128 + SIGABRT)
  }
}
