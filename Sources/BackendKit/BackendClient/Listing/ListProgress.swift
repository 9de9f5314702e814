/// The progress of a list, for display.
public struct ListProgress: Sendable {
  /// Takes the number of records of a batch that was read, whether they are in the answer or not.
  let read: @Sendable (Int) -> Void
  /// Takes the number of records to read, once the service has reported it. It may be an estimate.
  let expect: @Sendable (Int) -> Void

  /// A display of a list's progress.
  public init(read: @escaping @Sendable (Int) -> Void, expect: @escaping @Sendable (Int) -> Void) {
    (self.read, self.expect) = (read, expect)
  }
}
