import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("Lifetime")
struct LifetimeTests {
  @Test("With --until-eof the server ends when its input ends", .timeLimit(.minutes(10)))
  func endOfInput() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    #expect(try await demo.send("GET", "/grails/").status == 200)
    try await demo.endInput()
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: demo.port) }
  }

  @Test("With --until-eof the server ends when its parent is killed", .timeLimit(.minutes(10)))
  func parentKilled() async throws {
    // The shell becomes the sleeping parent, which alone holds the write end of the server's input.
    let parent = try RunningProgram([
      "/bin/bash", "-c", #"exec 3> >(exec "$0" --memory --until-eof); exec sleep 600 > /dev/null"#,
      try DemoProcess.executable().path,
    ])
    let line = try await parent.expect("\n")
    let port = try #require(Int(line.split(separator: ":").last?.dropLast() ?? ""))
    _ = try RawConnection(port: port)
    // The end of the output is that of the server, which alone is left to hold it.
    #expect(try await parent.end(by: SIGKILL).status == 128 + Int(SIGKILL))
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
  }

  @Test("SIGTERM and SIGINT end the server at once", .timeLimit(.minutes(10)), arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let idle = try RawConnection(port: demo.port)
    kill(demo.id, signal)
    #expect(try idle.read().isEmpty)
    try await demo.endInput()
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: demo.port) }
  }
}
