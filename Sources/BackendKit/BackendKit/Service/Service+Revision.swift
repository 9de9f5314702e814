extension Service {
  /// The revision of a record, which distinguishes its versions.
  public struct Revision: Sendable {
    /// The place from which the revision is read.
    public enum Source: Sendable, Hashable {
      /// In the ETag of a response with one record; a weak one only if it is declared to distinguish versions.
      case entityTag(isWeak: Bool)
      /// In a field of the record.
      case field(String)
    }

    /// The way a write makes the revision its condition.
    public enum Sending: Sendable, Hashable {
      /// By a header field.
      case header(String)
      /// By a field of the record that is sent.
      case field(String)
      /// By a parameter.
      case parameter(String)
    }

    /// The place from which the revision is read.
    public var source: Source
    /// The way a write makes the revision its condition.
    public var sending: Sending
    /// True if a deletion can make the revision its condition, too.
    public var deletes: Bool
    /// True if the service refuses a write without a revision.
    public var isRequired: Bool
    /// Statuses other than 409 and 412 that mean that the record has changed.
    public var conflicts: Set<Int>

    /// A revision.
    public init(
      _ source: Source, sending: Sending = .header("If-Match"), deletes: Bool = false, isRequired: Bool = false,
      conflicts: Set<Int> = []
    ) {
      self.source = source
      self.sending = sending
      self.deletes = deletes
      self.isRequired = isRequired
      self.conflicts = conflicts
    }

    /// Returns the revision of a record, given its response if that holds only this record.
    func read(_ record: Record, _ answer: HTTPResponse?) -> String? {
      switch source {
      case .entityTag(let isWeak): return answer?.entityTag(takingWeak: isWeak)
      case .field(let name): return FieldPath(name).value(in: record.fields).flatMap { RecordID($0)?.text }
      }
    }
  }
}
