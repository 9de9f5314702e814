import BackendKit

/// Chooses the sizes of pages of a list that is read whole: as large as the service accepts, judged by the cost of
/// earlier pages.
///
/// If pages can begin after any number of records, each may have another size. If pages are numbered, or each leads to
/// the next, the list begins again once with larger pages after the first one, whose records are then skipped.
struct PageGrowth: Sendable {
  /// The maximum number of bytes of JSON in a page, as estimated from earlier pages.
  static let mostBytes = 8 << 20
  /// The number of records requested for the first page.
  static let first = 100

  private(set) var size = Self.first
  /// The largest size that the service is known to accept.
  private var cap: Int
  private let beginsAnywhere: Bool
  private let patience: Duration
  private let mostBytes: Int
  /// The number of measured records of the page being read, and their bytes.
  private var measured = (records: 0, bytes: 0)

  /// Nil if pages keep their size, since the service is not known to accept larger ones.
  init?(_ capabilities: Capabilities, patience: Duration?, mostBytes: Int = Self.mostBytes) {
    guard let patience, capabilities.takesLargerPages, capabilities.pageCap ?? .max > Self.first,
      capabilities.paging != .none
    else { return nil }
    cap = capabilities.pageCap ?? .max
    self.patience = patience
    self.mostBytes = mostBytes
    beginsAnywhere = capabilities.paging == .offset
  }

  var isLarger: Bool { size > Self.first }

  /// Measures records of the page being read.
  mutating func measure(_ records: [Record]) {
    for record in records.prefix(Self.first - measured.records) {
      measured.records += 1
      measured.bytes += JSONWriter.compact(.object(record.fields)).utf8.count
    }
  }

  /// Chooses the size of the next page by the size and duration of this one; `most` is the number of records that can
  /// be of use. Returns whether the list has to begin again.
  mutating func grow(behind count: Int, time: Duration, most: Int) -> Bool {
    defer { measured = (0, 0) }
    // A short page shows what the service really accepts.
    if count < size { cap = max(count, 1) }
    guard beginsAnywhere || !isLarger else { return false }
    let byBytes = measured.bytes > 0 ? mostBytes / max(1, measured.bytes / measured.records) : Self.first
    let byTime = Double(count) * (patience / max(time, .microseconds(1)))
    let before = size
    size = min(max(Self.first, min(byBytes, byTime < 1e9 ? Int(byTime) : .max, most)), cap)
    // Reading the first page again pays off only if it saves several.
    if !beginsAnywhere, size < 4 * before { size = before }
    return !beginsAnywhere && size > before
  }

  /// Returns whether an error may be due to the size of a page, so that a page of the first size is worth a request.
  static func mayRefuse(_ error: BackendError) -> Bool {
    [.invalid, .timedOut, .badResponse, .unavailable].contains(error.code)
  }
}
