import Synchronization

/// Counts the requests to each dialect, and the writes among them, since the start or the last reset.
final class RequestCounts: Sendable {
  /// A request that is not a read, as received.
  struct Write: Sendable {
    let dialect: String
    let method: String
    let path: String
    let body: [UInt8]
  }

  /// The number of newest writes that are kept.
  private static let mostWrites = 1_000

  private let names: [String]
  private let counts: Mutex<[Int]>
  /// The number of requests that could fail, and of those that did.
  private let faults = Mutex((asked: 0, taken: 0))
  private let writes = Mutex<[Write]>([])

  init(_ names: [String]) {
    self.names = names
    counts = Mutex(Array(repeating: 0, count: names.count))
  }

  func add(at index: Int) { counts.withLock { $0[index] += 1 } }

  /// Keeps a request, unless it is a read.
  func keep(_ write: Write) {
    if ["GET", "HEAD", "OPTIONS"].contains(write.method) { return }
    writes.withLock { writes in
      if writes.count == Self.mostWrites { writes.removeFirst() }
      writes.append(write)
    }
  }

  /// Counts a request that could fail. Returns the number of its fault, from 0; nil if it is not its turn, or the limit
  /// is reached; 0 means no limit.
  func takeFault(every: Int, limit: Int) -> Int? {
    faults.withLock { faults in
      faults.asked += 1
      guard faults.asked % every == 0, limit == 0 || faults.taken < limit else { return nil }
      defer { faults.taken += 1 }
      return faults.taken
    }
  }

  func reset() {
    counts.withLock { $0 = Array(repeating: 0, count: names.count) }
    faults.withLock { $0 = (0, 0) }
    writes.withLock { $0 = [] }
  }

  /// The requests that are not reads, in order.
  var writesJSON: DemoJSON {
    .array(
      writes.withLock(\.self).map { write in
        [
          "dialect": .string(write.dialect), "method": .string(write.method), "path": .string(write.path),
          "body": .string(String(decoding: write.body, as: UTF8.self)),
        ]
      })
  }

  /// The total and one number for each dialect.
  var json: DemoJSON {
    let now = counts.withLock { $0 }
    var members = [DemoJSON.Member(key: "total", value: .number(String(now.reduce(0, +))))]
    members += zip(names, now).map { DemoJSON.Member(key: $0, value: .number(String($1))) }
    return .object(members)
  }
}
