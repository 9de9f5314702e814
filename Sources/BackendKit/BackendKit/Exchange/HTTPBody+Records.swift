/// The result of reading a page of records.
public struct PageReading: Sendable {
  /// The number of its records that arrived, including those taken before.
  public var count = 0
  /// The document around the records; nil if the page was abandoned.
  public var document: Value?
  /// True if the receiver wants no more.
  var isEnough = false
}

extension HTTPBody {
  /// Passes on the records of a page as they arrive, except for the first `used`, which were taken before.
  ///
  /// An element that is not a record, or has a value that is no JSON, does not hide others: it is passed on as a place
  /// without one, once a record has shown that this is a list of records. If no element is one, the first error is
  /// thrown.
  ///
  /// Once the receiver has enough, reading continues until another record shows that the page goes on: a total behind
  /// the records, or the end of the list, is known only from a page that was read to its end. A document without such
  /// records throws `mismatch`, or `badResponse`; one with more than `most` elements throws `overfull`. `preparing`
  /// gets the elements that are read next.
  public func records(
    _ items: JSONReader.Items = .at([[]]), after used: Int = 0, upTo most: Int = .max, to sink: RecordSink,
    otherwise mismatch: ((Value) -> BackendError)? = nil, overfull: (() -> BackendError)? = nil,
    preparing: (ArraySlice<Value>) throws(BackendError) -> Void = { _ in },
    reading record: (Value) throws(BackendError) -> Record
  ) async throws(BackendError) -> PageReading {
    var reading = PageReading()
    var readable = ReadableRecords()
    var flaws: [Int: JSONFlaw] = [:]
    reading.document = try await elements(items, otherwise: mismatch, passing: { flaws[$0] = $1 }) {
      values throws(BackendError) in
      defer { flaws = [:] }
      if reading.isEnough { return .enough }
      let rest = values.dropFirst(max(0, used - reading.count))
      reading.count += values.count
      if reading.count > most, let overfull { throw overfull() }
      guard !rest.isEmpty else { return .more }
      try preparing(rest)
      let records = try readable.take(rest, flaws, reading: record)
      if !records.isEmpty { reading.isEnough = try await sink.send(records) == .enough }
      return .more
    }
    if let error = readable.error { throw error }
    return reading
  }
}

/// Separates records from elements of a list that are not.
private struct ReadableRecords {
  /// The number of unusable elements without any record after which a list is not one of records.
  private static let most = 1_000

  private var isProven = false
  /// The places before the first record.
  private var held: [Record] = []
  private var first: BackendError?

  /// The error of a page without records.
  var error: BackendError? { isProven ? nil : first }

  /// The records, and the places without one, that may be passed on.
  mutating func take(
    _ values: ArraySlice<Value>, _ flaws: [Int: JSONFlaw], reading record: (Value) throws(BackendError) -> Record
  ) throws(BackendError) -> [Record] {
    var records: [Record] = []
    records.reserveCapacity(values.count)
    for (place, value) in zip(values.indices, values) {
      do throws(BackendError) {
        var record = try record(value)
        if let flaw = flaws[place] {
          let reason = (record.id.map { "identifier \($0.text), " } ?? "") + flaw.reason
          let isNamed = record.id?.text.contains("\u{FFFD}") != true
          if flaw.isLost || !isNamed { record = .unreadable(reason) } else { record.defect = reason }
        }
        records.append(record)
        isProven = true
      } catch {
        guard error.code == .badResponse else { throw error }
        first = first ?? error
        records.append(.unreadable(flaws[place]?.reason ?? error.message))
      }
    }
    guard isProven else {
      held += records
      if held.count >= Self.most, let first { throw first }
      return []
    }
    defer { held = [] }
    return held.isEmpty ? records : held + records
  }
}
