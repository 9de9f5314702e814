/// Collects the records of a page until they can be used.
public actor BufferedPage {
  /// The records received so far.
  public private(set) var records: [Record] = []

  /// An empty page.
  public init() {}

  /// A sink that accepts all records.
  public nonisolated var sink: RecordSink {
    RecordSink { records throws(BackendError) in
      await self.take(records)
      return .more
    }
  }

  private func take(_ more: [Record]) { records += more }
}
