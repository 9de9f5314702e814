extension Service {
  /// The layout of an error response, and the meaning of its content.
  public struct Errors: Sendable {
    /// The paths to the error message in the response's JSON; the first that leads to a text counts. `*` matches each
    /// element of a list or member of an object, whose texts are joined.
    public var messages: [[String]]
    /// The path to the service's own error code; nil if it has none.
    public var code: [String]?
    /// The place of the messages about single fields; nil if there are none.
    public var fields: FieldMessages?
    /// The failures whose meaning is not that of their status; the first row that matches counts.
    public var meanings: [Meaning]

    /// Creates the layout of error responses.
    public init(
      messages: [[String]] = [], code: [String]? = nil, fields: FieldMessages? = nil, meanings: [Meaning] = []
    ) {
      self.messages = messages
      self.code = code
      self.fields = fields
      self.meanings = meanings
    }
  }

  /// The meaning of a failure that its status does not show.
  public struct Meaning: Sendable {
    /// The statuses; empty for any failure. A status below 300 turns an apparent success into a failure.
    public var statuses: Set<Int>
    /// A member that must be present, and the value it must have, if any; `*` in the path is any element or member.
    public var has: (path: [String], value: Value?)?
    /// A text that the service's message must contain.
    public var says: String?
    /// The error code; nil for the one that the status implies.
    public var code: BackendError.Code?
    /// True if the change was applied despite the failure.
    public var isApplied: Bool
    /// True if a list with this response has no records.
    public var isEmptyList: Bool
    /// True if a write with this response succeeded without changing anything, because the requested state already
    /// exists.
    public var isAlreadyDone = false
    /// The advice for the user.
    public var hint: String?

    /// A meaning.
    public init(
      statuses: Set<Int> = [], has: (path: [String], value: Value?)? = nil, says: String? = nil,
      code: BackendError.Code? = nil, isApplied: Bool = false, isEmptyList: Bool = false,
      hint: String? = nil
    ) {
      self.statuses = statuses
      self.has = has
      self.says = says
      self.code = code
      self.isApplied = isApplied
      self.isEmptyList = isEmptyList
      self.hint = hint
    }
  }

  /// The rate limits of a service, and the way it reports that a limit was exceeded.
  public struct Limits: Sendable {
    /// Statuses other than 429 that report an exceeded rate, but only with ``remaining`` at 0.
    public var statuses: Set<Int> = []
    /// The header field with the number of requests left.
    public var remaining: String?
    /// The header field, in addition to Retry-After, with the time when requests are available again.
    public var reset: String?
    /// The unit of the ``reset`` header field.
    public var resetForm = Reset.seconds
    /// The maximum number of requests per second; nil for no limit.
    public var perSecond: Int?
    /// The maximum number of concurrent requests; nil for no limit.
    public var concurrent: Int?

    /// The unit of a header field with the time when requests are available again.
    public enum Reset: String, Sendable, Hashable, CaseIterable {
      /// Seconds from now.
      case seconds
      /// Seconds since 1970.
      case epoch
      /// An HTTP date.
      case date
    }

    /// No limits except those of HTTP.
    public init() {}
  }
}
