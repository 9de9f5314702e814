import BackendKit
import Synchronization

/// Answers that lack what every answer of the server has.
extension Law {
  static let leanAnswers = Law(
    "lean answers", .faults,
    "a list whose answers lack a value or a header that each of them had is refused with `badResponse`, or is the same"
      + " list."
  ) { bench throws(Halt) in
    let records = try await bench.list(atLeast: 5)
    let query = bench.query(pageSize: max(2, records.count / 3))
    let looking = LeanExchange(bench.traffic, without: nil)
    guard case .success(let whole) = await bench.ids(query, atMost: records.count, over: looking) else {
      return .notApplicable("the list cannot be walked with small pages")
    }
    let parts = looking.parts
    for part in parts {
      let done = "\(bench.words(query)) was walked and \(part.words) was missing from each answer"
      switch await bench.ids(query, atMost: records.count, over: LeanExchange(bench.traffic, without: part)) {
      case .success(let ids):
        try bench.require(ids == whole, done, expected: "the same list, or an error", found: bench.words(ids))
      case .failure(let error):
        try bench.require(
          unreadable.contains(error.code), done, expected: "the error \"badResponse\"", found: "the error \(error)")
      }
    }
    return parts.isEmpty ? .notApplicable("answers hold records alone") : .run
  }
}

extension Bench {
  /// The identifiers of a list that is walked over another way, or why it could not be.
  fileprivate func ids(
    _ query: ListQuery, atMost count: Int, over exchange: LeanExchange
  ) async -> Result<[RecordID?], BackendError> {
    let found = Mutex<[RecordID?]>([])
    do throws(BackendError) {
      let backend = try subject.make(exchange)
      var cursor: Cursor?
      repeat {
        let sink = RecordSink { records in
          found.withLock { $0 += records.map(\.id) }
          return .more
        }
        cursor = try await backend.list(query, at: cursor, to: sink).next
      } while cursor != nil && found.withLock { $0.count } <= count
      return .success(found.withLock { $0 })
    } catch { return .failure(error) }
  }
}

/// A way to a server on which one value beside the records, or one header, is missing from each answer.
private final class LeanExchange: HTTPExchange {
  enum Part: Hashable {
    case member(String)
    case header(String)

    var words: String {
      switch self {
      case .member(let name): "the value \(name)"
      case .header(let name): "the header \(name)"
      }
    }
  }

  // What says how the answer itself is to be read.
  private static let framing: Set<String> = [
    "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "date",
  ]

  private let inner: any HTTPExchange
  private let left: Part?
  private let seen = Mutex<[Part]?>(nil)

  init(_ inner: any HTTPExchange, without left: Part?) {
    self.inner = inner
    self.left = left
  }

  /// What each answer had so far.
  var parts: [Part] { seen.withLock { $0 ?? [] } }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    let answer = try await inner.send(request)
    guard answer.isSuccess, answer.status != 204 else { return answer }
    let bytes = try await answer.body.collect()
    var object = (try? JSONReader.read(bytes))?.object
    let members = object?.members.filter { $0.1 != .null && $0.1.array == nil && $0.1.object == nil } ?? []
    let headers = answer.headers.map { $0.0.lowercased() }.filter { !LeanExchange.framing.contains($0) }
    let parts = members.map { Part.member($0.0) } + headers.map { Part.header($0) }
    seen.withLock { $0 = $0.map { $0.filter(parts.contains) } ?? parts }
    guard case .member(let name)? = left, object?[name] != nil else {
      let kept = answer.headers.filter { left != .header($0.0.lowercased()) }
      return HTTPAnswer(status: answer.status, headers: kept, body: HTTPBody(whole: bytes))
    }
    object?[name] = nil
    let text = JSONWriter.compact(.object(object ?? Object()))
    return HTTPAnswer(status: answer.status, headers: answer.headers, body: HTTPBody(whole: Array(text.utf8)))
  }
}
