/// Keeps the records of a page until it is known what becomes of them.
public actor BufferedPage {
  /// The records that came so far.
  public private(set) var records: [Record] = []

  /// Nothing held.
  public init() {}

  /// Takes every record there is.
  public nonisolated var sink: RecordSink {
    RecordSink { records throws(BackendError) in
      await self.take(records)
      return .more
    }
  }

  private func take(_ more: [Record]) { records += more }
}
