import BackendKit
import Synchronization
import Testing

/// The records that a sink received.
final class Gathered: Sendable {
  private let batches = Mutex<[[Record]]>([])

  var all: [Record] { batches.withLock { $0.flatMap(\.self) } }
  var batchCount: Int { batches.withLock(\.count) }

  func sink(enoughAfter limit: Int = .max) -> RecordSink {
    RecordSink { [self] records in
      batches.withLock {
        $0.append(records)
        return $0.count >= limit ? .enough : .more
      }
    }
  }
}

extension ResourcePath {
  static let notes = ResourcePath(name: "notes")
}

extension Backend {
  /// The pages of a list, walked from the first to the last.
  func walk(_ query: ListQuery) async throws -> [(records: [Record], end: PageEnd)] {
    var pages: [(records: [Record], end: PageEnd)] = []
    var cursor: Cursor?
    repeat {
      let gathered = Gathered()
      let end = try await list(query, at: cursor, to: gathered.sink())
      pages.append((gathered.all, end))
      cursor = end.next
      try #require(pages.count < 1000)
    } while cursor != nil
    return pages
  }
}

/// The error that a call ends with.
func failure(of call: () async throws -> Void) async throws -> BackendError {
  do { try await call() } catch { return try #require(error as? BackendError) }
  throw Succeeded()
}

/// A call went well that had to fail.
struct Succeeded: Error {}

/// A number of records with fields of every kind.
func notes(_ count: Int) -> [Object] {
  (1...max(1, count)).prefix(count).map { number in
    Object(
      [
        ("id", .int(number)), ("title", .string("note \(number)")), ("even", .bool(number % 2 == 0)),
        ("price", Number("\(number).10").map(Value.number) ?? nil), ("body", "a long text"),
        ("meta", ["big": Number("9007199254740993").map(Value.number) ?? nil, "none": nil]),
      ] as [(String, Value)])
  }
}
