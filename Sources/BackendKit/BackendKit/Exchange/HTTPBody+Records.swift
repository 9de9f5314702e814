/// What was read of a page of records.
public struct PageReading: Sendable {
  /// How many of its records came, those taken before included.
  public var count = 0
  /// The document around the records; nil where the page was given up in the middle.
  public var document: Value?
  fileprivate var isEnough = false

  /// What was read.
  public init(count: Int = 0, document: Value? = nil) {
    self.count = count
    self.document = document
  }
}

extension HTTPBody {
  /// Hands the records of a page on as they arrive, but for the first `used`, which were taken before.
  ///
  /// Once the receiver had enough this reads on until another record shows that the page goes on: what stands behind
  /// the records, a total or the end of the list, is known only where a page was read to its end. A document without
  /// such records is `mismatch`, or `badResponse`.
  public func records(
    _ items: JSONReader.Items = .at([[]]), after used: Int = 0, to sink: RecordSink,
    otherwise mismatch: ((Value) -> BackendError)? = nil, reading record: (Value) throws(BackendError) -> Record
  ) async throws(BackendError) -> PageReading {
    var reading = PageReading()
    reading.document = try await elements(items, otherwise: mismatch) { values throws(BackendError) in
      if reading.isEnough { return .enough }
      let rest = values.dropFirst(max(0, used - reading.count))
      reading.count += values.count
      guard !rest.isEmpty else { return .more }
      reading.isEnough = try await sink.send(try rest.map(record)) == .enough
      return .more
    }
    return reading
  }
}
