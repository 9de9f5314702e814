import Synchronization

/// How many requests each dialect has had since the start or the last reset.
final class RequestCounts: Sendable {
  private let names: [String]
  private let counts: Mutex<[Int]>
  private let faults = Mutex(0)

  init(_ names: [String]) {
    self.names = names
    counts = Mutex(Array(repeating: 0, count: names.count))
  }

  func add(at index: Int) { counts.withLock { $0[index] += 1 } }

  /// Counts one more fault, unless the limit is reached; 0 is no limit.
  func takeFault(limit: Int) -> Bool {
    faults.withLock { taken in
      if limit > 0, taken >= limit { return false }
      taken += 1
      return true
    }
  }

  func reset() {
    counts.withLock { $0 = Array(repeating: 0, count: names.count) }
    faults.withLock { $0 = 0 }
  }

  /// The total and one number for each dialect.
  var json: DemoJSON {
    let now = counts.withLock { $0 }
    var members = [DemoJSON.Member(key: "total", value: .number(String(now.reduce(0, +))))]
    members += zip(names, now).map { DemoJSON.Member(key: $0, value: .number(String($1))) }
    return .object(members)
  }
}
