extension Service {
  /// Where an error response holds what, and what the service means by it.
  public struct Errors: Sendable {
    /// Where it holds what the service says: paths into its JSON, the first that leads to a text counts. `*` stands for each
    /// element of a list or member of an object, whose texts are joined.
    public var messages: [[String]]
    /// Where it holds the service's own code of the failure; nil where it does not.
    public var code: [String]?
    /// Where it tells what is wrong with single fields; nil where it does not.
    public var fields: FieldMessages?
    /// What some failures mean, the first row that fits counts.
    public var meanings: [Meaning]

    /// What error responses look like.
    public init(
      messages: [[String]] = [], code: [String]? = nil, fields: FieldMessages? = nil, meanings: [Meaning] = []
    ) {
      self.messages = messages
      self.code = code
      self.fields = fields
      self.meanings = meanings
    }
  }

  /// What a failure means that its status alone does not tell.
  public struct Meaning: Sendable {
    /// The statuses; empty for any failure. One below 300 makes a failure of what looks like a success.
    public var statuses: Set<Int>
    /// A member that has to be there, and its value where it is to have one; `*` in the path is any element or member.
    public var has: (path: [String], value: Value?)?
    /// A text that the service's words have to contain.
    public var says: String?
    /// What it means; nil where it is what the status says.
    public var code: BackendError.Code?
    /// Whether the change was made all the same.
    public var isApplied: Bool
    /// Whether a list that is answered so has no records.
    public var isEmptyList: Bool
    /// True if a write that is answered so is a success which changed nothing: what it asks for is so already.
    public var isAlreadyDone = false
    /// What to do about it.
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

  /// Where an error response tells what is wrong with single fields.
  public struct FieldMessages: Sendable {
    /// How they are arranged.
    public enum Shape: Sendable, Hashable {
      /// An object with a member for each field: a text, or a list of texts or of objects with a message.
      case object
      /// A list of objects.
      case list
    }

    /// The path to the list or object.
    public var place: [String]
    /// How they are arranged.
    public var shape: Shape
    /// The path to the field in each object of a list: a name, a JSON pointer into the document that was sent, or a list of names.
    public var field: [String]
    /// The path to the message in each object.
    public var message: [String]
    /// Names that a path to a field begins with and that are not part of it.
    public var prefixes: Set<String> = ["data", "attributes", "relationships", "body"]

    /// Messages in a list of objects.
    public init(_ place: [String], field: [String], message: [String]) {
      self.place = place
      self.field = field
      self.message = message
      shape = .list
    }

    /// Messages in an object with a member for each field; `message` is the path in each, where it is an object.
    public init(_ place: [String], message: [String] = ["message"]) {
      self.place = place
      self.message = message
      field = []
      shape = .object
    }
  }

  /// How often and how fast a service may be asked, and how it says that this was too often.
  public struct Limits: Sendable {
    /// Statuses besides 429 that say so, but only with ``remaining`` at 0.
    public var statuses: Set<Int> = []
    /// The header field that tells how many requests are left.
    public var remaining: String?
    /// The header field that tells when there are more again, besides Retry-After.
    public var reset: String?
    /// What it counts.
    public var resetForm = Reset.seconds
    /// The most requests a second; nil for no limit.
    public var perSecond: Int?
    /// The most requests at the same time; nil for no limit.
    public var concurrent: Int?

    /// What a header field counts that tells when there are more requests.
    public enum Reset: String, Sendable, Hashable, CaseIterable {
      /// Seconds from now.
      case seconds
      /// Seconds since 1970.
      case epoch
      /// A date of HTTP.
      case date
    }

    /// No limits but those of HTTP.
    public init() {}
  }
}
