import ConsoleSupport
import Foundation
import Testing

/// The library with the suite: opened for the commands that need it, and judged before it is used.
@Suite("The suite's library") struct ConformanceLibraryTests {
  private let console: BareConsole
  private var library: String { console.library }

  init() throws { console = try BareConsole(lacking: "libConformance.so") }

  @Test("a run that judges nothing does without it") func unused() async throws {
    let run = try await console.run("explain list grails:http://127.0.0.1:9")
    #expect(!run.errors.contains("libConformance"))
  }

  @Test("conformance says where it is missing, and judges where it is there") func missing() async throws {
    let missing = try await console.run("conformance --list")
    #expect((missing.status, missing.output) == (3, ""))
    #expect(missing.errors.contains("backends cannot be tested: \(library) cannot be opened"))
    try FileManager.default.copyItem(
      atPath: ConsoleRun.products.appending(path: "libConformance.so").path, toPath: library)
    let there = try await console.run("conformance --list")
    #expect((there.status, there.errors) == (0, ""))
  }

  @Test("one of another build is refused before its entry is called") func stale() async throws {
    try console.compile(
      """
      const char *switchboard_conformance_stamp(void) { return "switchboard_stamp.kit.0123456789abcdef"; }
      void *switchboard_conformance(void) { abort(); }
      """)
    let run = try await console.run("conformance --list")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("\(library) belongs to another build of this console"))
  }

  @Test("a shell completes the names of laws from it", .timeLimit(.minutes(5))) func completion() async throws {
    var run: ConsoleRun
    // Tab waits a moment only: on a busy machine the names are not there each time.
    repeat {
      run = try await ConsoleRun.run(["--complete", "switchboard conformance --only delete"], in: console.home)
      #expect(run.status == 0, "\(run.errors)")
    } while !run.output.contains("delete targets one record")
  }
}
