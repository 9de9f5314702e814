/// Processes several rows concurrently, and passes on the outcomes in the order of the rows.
struct RowsInFlight<Outcome: Sendable>: Sendable {
  typealias Answer = Result<Outcome, any Error>

  let count: Int
  let jobs: Int
  let work: @Sendable (Int) async throws -> Outcome

  /// Begins rows while `mayStart` returns true, and awaits all of them. Returns how many were begun: the first ones.
  func run(mayStart: () -> Bool, take: (Int, Answer) -> Void) async -> Int {
    // Limits the outcomes held back by one slow row.
    let window = max(64, jobs * 8)
    var begun = 0
    var taken = 0
    if jobs == 1 || count == 1 {
      while begun < count, mayStart() {
        begun += 1
        take(begun - 1, await answer(begun - 1))
      }
      return begun
    }
    await withTaskGroup(of: (Int, Answer).self) { group in
      var waiting: [Int: Answer] = [:]
      var inFlight = 0
      while true {
        // The first row goes alone: an unreachable server or a refused login affects all rows alike.
        while inFlight < (taken == 0 ? 1 : jobs), begun < count, begun - taken < window, mayStart() {
          let index = begun
          group.addTask { (index, await answer(index)) }
          begun += 1
          inFlight += 1
        }
        guard inFlight > 0, let (index, answer) = await group.next() else { break }
        inFlight -= 1
        waiting[index] = answer
        while let answer = waiting.removeValue(forKey: taken) {
          take(taken, answer)
          taken += 1
        }
      }
    }
    return begun
  }

  private func answer(_ index: Int) async -> Answer {
    do { return .success(try await work(index)) } catch { return .failure(error) }
  }
}
