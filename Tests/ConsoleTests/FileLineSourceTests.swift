import Glibc
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSystem

@Suite("Commands from a file") struct FileLineSourceTests {
  /// A pipe that nothing is written to: a read of it would wait for ever.
  private func emptyPipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  @Test("an interruption that came before the read keeps it from waiting, until it is taken")
  func before() async throws {
    let (input, signals) = (try emptyPipe(), try emptyPipe())
    defer { for end in [input.reading, input.writing, signals.reading, signals.writing] { close(end) } }
    let interruption = Interruption(descriptor: signals.reading)
    let source = FileLineSource(descriptor: input.reading, name: "x", interruption: interruption)
    // The same as the signal's handler does; the main loop does not know of it yet.
    #expect(write(signals.writing, "!", 1) == 1)
    #expect(await source.next(prompt: "") == .interrupted)
    interruption.interrupt()
    #expect(await source.next(prompt: "") == .interrupted)

    _ = interruption.take()
    #expect(write(input.writing, "count\n", 6) == 6)
    #expect(await source.next(prompt: "") == .command("count", line: 1))
  }
}
