import Foundation
import ConsoleSupport
import DemoServerSupport
import TestSupport
import Testing

/// A sample of the table of `Scripts/faults`: what the console says of its writes, against the log of a server that fails in every way.
@Suite("The table of faults") struct FaultTableTests {
  @Test("no result of a write claims more than the server's log shows") func sample() async throws {
    let program = try RunningProgram([
      ConsoleRun.root.appending(path: "Scripts/faults").path, "--quick", "--switchboard", ConsoleRun.executable.path,
      "--demo", try DemoProcess.executable().path,
    ])
    let ending = try await program.end(timeout: .seconds(600))
    #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    #expect(ending.output.hasSuffix(" held\n"), "\(ending.errors)")
  }
}
