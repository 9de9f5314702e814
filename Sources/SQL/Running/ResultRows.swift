import BackendKit

/// Passes on the rows of a result: immediately if a list is only read, otherwise once the statement has ended.
final class ResultRows {
  private let streams: Bool
  private let hand: ([[Value]]) throws(SQLError) -> Void
  private var batch: [[Value]] = []
  private(set) var count = 0
  /// The database for rows that do not fit in memory.
  var spool: Database?
  private var insert: Statement?
  /// The number of rows in a batch, which is passed on or kept in memory.
  private static let most = 256

  init(streams: Bool, to hand: @escaping ([[Value]]) throws(SQLError) -> Void) {
    self.streams = streams
    self.hand = hand
  }

  func add(_ row: [Value]) throws(SQLError) {
    count += 1
    batch.append(row)
    guard batch.count >= Self.most else { return }
    if streams { try flush() } else { try keep() }
  }

  /// Passes on available rows, if they need not wait.
  func flush() throws(SQLError) {
    guard streams, !batch.isEmpty else { return }
    try hand(batch)
    batch = []
  }

  private func keep() throws(SQLError) {
    guard let spool else { return }
    if insert == nil {
      try spool.run("CREATE TABLE result(n INTEGER PRIMARY KEY, rows TEXT)")
      insert = try spool.prepare("INSERT INTO result(rows) VALUES(?)")
    }
    guard let insert else { return }
    defer { insert.reset() }
    try insert.bind(1, .text(JSONWriter.compact(.array(batch.map { .array($0) }))))
    _ = try insert.step()
    batch = []
  }

  func finish() throws(SQLError) {
    if insert != nil, let spool {
      let kept = try spool.prepare("SELECT rows FROM result ORDER BY n")
      while try kept.step() {
        guard let rows = (try? JSONReader.read(kept.text(0)))?.array else {
          throw SQLError(.limit, "rows of the result cannot be read again")
        }
        try hand(rows.map { $0.array ?? [] })
      }
    }
    guard !batch.isEmpty else { return }
    try hand(batch)
    batch = []
  }
}
