import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The measures that keep secrets in memory from leaking.
@Suite("Hardening") struct HardeningTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("the console leaves no core dump, and what it starts for the user has the user's own limit")
  func cores() async throws {
    let console = try home.startShell(
      "ulimit -S -c \"$(ulimit -H -c)\"; ulimit -c; exec \"$0\" \"$@\"", "--stream", "--allow-shell", "--config",
      ConsoleTerminal.config)
    let own = try await console.expect("\n")
    try console.type("!ulimit -c; echo ended\n")
    #expect(try await console.expect("ended\n") == own + "ended\n")
    // It has taken its limit back when it goes on.
    try console.type("show output\n")
    try await console.expect("auto\n")
    let limits = try String(contentsOfFile: "/proc/\(console.id)/limits", encoding: .utf8)
    let row = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
    // 1 is what keeps the system from piping a dump to a program, too.
    #expect(["0", "1"].contains(row.split(separator: " ").dropFirst(4).first), "\(row)")
    #expect(try await console.end().status == 0)
  }

  static let files =
    ["switchboard", "switchboard-demo", "libBackendKit.so", "libHTTPTransport.so", "libConformance.so"]
    + ["grails", "kitura", "jsonplaceholder", "baasic"].map { "libswitchboard-\($0).so" }

  @Test("all addresses of other files are found when a file is loaded, and cannot be written to then", arguments: files)
  func addresses(name: String) async throws {
    let path = ConsoleRun.products.appending(path: name).path
    let sections = try await RunningProgram(["readelf", "-dW", path]).end().output
    #expect(sections.split(separator: "\n").contains { $0.contains("FLAGS") && $0.contains("NOW") })
    #expect(try await RunningProgram(["readelf", "-lW", path]).end().output.contains("GNU_RELRO"))
  }
}
