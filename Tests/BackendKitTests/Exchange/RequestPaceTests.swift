import Synchronization
import Testing

@testable import BackendKit

@Suite struct RequestPaceTests {
  private final class Counts: Sendable {
    let state = Mutex((running: 0, most: 0, done: 0))
  }

  @Test func `each turn is a pause behind the one before, and the first is at once`() {
    let pace = RequestPace()
    let began = ContinuousClock.now
    let turns = (0..<3).map { _ in pace.takeTurn(.seconds(3600)) }
    #expect(turns[0] <= .now && turns[0] >= began)
    #expect(turns[1] == turns[0] + .seconds(3600) && turns[2] == turns[1] + .seconds(3600))
  }

  @Test func `who is cancelled while it waits for its turn is told so`() async {
    let pace = RequestPace()
    _ = pace.takeTurn(.seconds(3600))
    let waiting = Task { try await pace.wait(.seconds(1)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test(arguments: [0, 1, 3]) func `no more are under way than may be, and all get a place`(_ most: Int) async {
    let pace = RequestPace()
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await pace.enter(most)
          counts.state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
          }
          await Task.yield()
          counts.state.withLock { state in
            state.running -= 1
            state.done += 1
          }
          pace.leave()
        }
      }
    }
    let found = counts.state.withLock { $0 }
    #expect(found.running == 0 && found.done == 50 && found.most <= max(most, 1))
  }
}
