import DemoServerSupport
import Foundation
import Testing

@Suite("Lifetime")
struct LifetimeTests {
  @Test("With --until-eof the server ends when its input ends", .timeLimit(.minutes(1)))
  func endOfInput() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    #expect(try await demo.send("GET", "/grails/").status == 200)
    try await demo.endInput()
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: demo.port) }
  }

  @Test("With --until-eof the server ends when its parent is killed", .timeLimit(.minutes(1)))
  func parentKilled() async throws {
    let folder = try TemporaryFolder()
    let parent = Process()
    parent.executableURL = URL(fileURLWithPath: "/bin/bash")
    // The shell becomes the sleeping parent, which alone holds the write end of the server's input.
    parent.arguments = [
      "-c", #"exec 3> >(exec "$0" --memory --until-eof > "$1" 2>&1); exec sleep 600 > /dev/null 2>&1"#,
      try DemoProcess.executable().path, folder.path + "/out",
    ]
    try parent.run()
    var output = ""
    while !output.contains("\n") {
      output = (try? String(contentsOfFile: folder.path + "/out", encoding: .utf8)) ?? ""
      try await Task.sleep(for: .milliseconds(10))
    }
    let port = try #require(Int(output.split(separator: ":").last?.dropLast() ?? ""))
    _ = try RawConnection(port: port)
    kill(parent.processIdentifier, SIGKILL)
    parent.waitUntilExit()
    // The time limit is what fails this test if the server goes on.
    while (try? RawConnection(port: port)) != nil { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test("SIGTERM and SIGINT end the server at once", .timeLimit(.minutes(1)), arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let idle = try RawConnection(port: demo.port)
    kill(demo.id, signal)
    #expect(try idle.read().isEmpty)
    try await demo.endInput()
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: demo.port) }
  }
}
