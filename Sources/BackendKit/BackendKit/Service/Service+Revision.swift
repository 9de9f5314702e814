extension Service {
  /// What tells two versions of a record apart.
  public struct Revision: Sendable {
    /// Where it is read.
    public enum Source: Sendable, Hashable {
      /// In the ETag of a response with one record; a weak one only where that is declared to tell versions apart.
      case entityTag(isWeak: Bool)
      /// In a field of the record.
      case field(String)
    }

    /// How a write insists on it.
    public enum Sending: Sendable, Hashable {
      /// By a header field.
      case header(String)
      /// By a field of the record that is sent.
      case field(String)
      /// By a parameter.
      case parameter(String)
    }

    /// Where it is read.
    public var source: Source
    /// How a write insists on it.
    public var sending: Sending
    /// Whether a deletion can insist on it, too.
    public var deletes: Bool
    /// Whether the service refuses a write without one.
    public var isRequired: Bool
    /// Statuses that say that the record has changed, besides 409 and 412.
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

    /// The revision of a record, alone in its response where there is one.
    func read(_ record: Record, _ answer: HTTPResponse?) -> String? {
      switch source {
      case .entityTag(let isWeak): return answer?.entityTag(takingWeak: isWeak)
      case .field(let name): return FieldPath(name).value(in: record.fields).flatMap { RecordID($0)?.text }
      }
    }
  }
}
