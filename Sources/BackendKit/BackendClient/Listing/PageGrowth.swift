import BackendKit

/// The growth of the pages of a list that is read whole: as large as the service accepts, judged by the cost of earlier
/// pages.
///
/// A page that begins after any number of records can differ in size from the one before it. If pages are numbered, or
/// each leads to the next, the list begins again once, after the first page, with larger pages; the records of the
/// first page are passed over.
struct PageGrowth: Sendable {
  /// The maximum number of bytes of JSON in a page, as estimated from earlier pages.
  static let mostBytes = 8 << 20
  /// The number of records requested for the first page.
  static let first = 100

  /// The number of records requested for a page.
  private(set) var size = Self.first
  /// The most that the service takes, as far as that is known.
  private var cap: Int
  private let beginsAnywhere: Bool
  private let patience: Duration
  private let mostBytes: Int
  /// The number of measured records of the page being read, and their bytes.
  private var measured = (records: 0, bytes: 0)

  /// Nil where pages keep their size: where nobody knows that the service takes larger ones.
  init?(_ capabilities: Capabilities, patience: Duration?, mostBytes: Int = Self.mostBytes) {
    guard let patience, capabilities.takesLargerPages, capabilities.pageCap ?? .max > Self.first,
      capabilities.paging != .none
    else { return nil }
    cap = capabilities.pageCap ?? .max
    self.patience = patience
    self.mostBytes = mostBytes
    beginsAnywhere = capabilities.paging == .offset
  }

  /// True if pages have become larger than the first.
  var isLarger: Bool { size > Self.first }

  /// Looks at some records of the page being read.
  mutating func measure(_ records: [Record]) {
    for record in records.prefix(Self.first - measured.records) {
      measured.records += 1
      measured.bytes += JSONWriter.compact(.object(record.fields)).utf8.count
    }
  }

  /// Chooses the size of the next page behind one that had so many records and took so long; `most` is how many records
  /// can be of use. Returns whether the list has to begin again for it.
  mutating func grow(behind count: Int, time: Duration, most: Int) -> Bool {
    defer { measured = (0, 0) }
    // A page that came short shows what the service really takes.
    if count < size { cap = max(count, 1) }
    guard beginsAnywhere || !isLarger else { return false }
    let byBytes = measured.bytes > 0 ? mostBytes / max(1, measured.bytes / measured.records) : Self.first
    let byTime = Double(count) * (patience / max(time, .microseconds(1)))
    let before = size
    size = min(max(Self.first, min(byBytes, byTime < 1e9 ? Int(byTime) : .max, most)), cap)
    // To read the first page again pays where several are saved.
    if !beginsAnywhere, size < 4 * before { size = before }
    return !beginsAnywhere && size > before
  }

  /// Returns whether an error may be due to the size of a page, so that a page of the first size is worth a request.
  static func mayRefuse(_ error: BackendError) -> Bool {
    [.invalid, .timedOut, .badResponse, .unavailable].contains(error.code)
  }
}
