extension Service {
  /// How the fields that a write sends are written in its body.
  public enum BodyForm: Sendable, Hashable {
    /// As JSON.
    case json
    /// As a form: `a=1&b=2`, members of objects and lists with brackets: `a[b]=1`, `c[0]=2`. Null is an empty text.
    case form
  }

  /// What else is sent with a write.
  public struct WriteParameters: Sendable {
    /// Header fields.
    public var headers: [(String, String)] = []
    /// Parameters.
    public var parameters: [(String, String)] = []
    /// Parts of the path behind that of the record or the resource.
    public var path: [String] = []
    /// Members of the document besides the fields, merged into objects that it has: constants, or the identifier, for which a text
    /// `{id}` stands here and in the parameters.
    public var members = Object()

    /// Nothing else.
    public init() {}

    /// Nothing else but these.
    public init(
      path: [String] = [], parameters: [(String, String)] = [], headers: [(String, String)] = [],
      members: Object = Object()
    ) {
      self.path = path
      self.parameters = parameters
      self.headers = headers
      self.members = members
    }

    /// Whether the identifier is in the parameters or the members.
    var namesRecord: Bool {
      parameters.contains { $0.1.contains(text: "{id}") }
        || JSONWriter.compact(.object(members)).contains(text: "{id}")
    }
  }

  /// How a record is made: POST at the resource.
  public struct Creating: Sendable {
    /// What the response to a creation holds.
    public enum Answer: Sendable, Hashable {
      /// The record.
      case record
      /// The identifier, at this path of members; the record is then read.
      case identifier([String])
      /// Nothing but the header field Location, whose last part is the identifier; the record is then read.
      case location
      /// Nothing.
      case nothing
    }

    /// The method.
    public var method = "POST"
    /// Whether the record is made at the path of its identifier, which then has to be chosen. Nil: with PUT.
    public var atItem: Bool?
    /// Fields that are not sent in the body, such as an identifier that the path names.
    public var dropped: [String] = []
    /// Statuses that say that a record with the identifier was there and has been replaced. Without any, only 201 tells that there was
    /// none.
    public var replacedStatuses: Set<Int> = []
    /// What else is sent.
    public var extras = WriteParameters()
    /// How the fields are written.
    public var body = BodyForm.json
    /// The member of the document that holds the fields; empty where they are the document. Nil: as a record is read.
    public var wrapping: [String]?
    /// Whether a null is sent; otherwise it is left out.
    public var sendsNull = true
    /// What the response holds.
    public var answer = Answer.record
    /// The header field for a text by which the service knows a creation that is sent again; nil where it has none.
    public var idempotencyKey: String?
    /// Whether a response without a record is usual.
    public var mayAnswerNothing: Bool
    /// Whether the Location header of the response leads to the record.
    public var locates: Bool
    /// Whether whoever makes the record may choose its identifier.
    public var takesIdentifiers: Bool
    /// Whether a chosen identifier is looked for first. Nil: if the request might replace the record that has it, unless it asks for a
    /// new record only (`If-None-Match: *` among the extras).
    public var looksFirst: Bool?

    /// Whether the record is made at the path of its identifier.
    var isAtItem: Bool { atItem ?? (method == "PUT") }

    /// Whether the request asks the service not to replace a record.
    var asksForNew: Bool { extras.headers.contains { $0.0.lowercased() == "if-none-match" && $0.1 == "*" } }

    /// Making records.
    public init(
      mayAnswerNothing: Bool = false, locates: Bool = false, takesIdentifiers: Bool = false,
      looksFirst: Bool? = nil
    ) {
      self.looksFirst = looksFirst
      self.mayAnswerNothing = mayAnswerNothing
      self.locates = locates
      self.takesIdentifiers = takesIdentifiers
    }
  }

  /// How a record is changed.
  public struct Updating: Sendable {
    /// How a field is cleared.
    public enum Clearing: Sendable, Hashable {
      /// By sending null.
      case null
      /// By reading the record and sending the rest of it with this method.
      case replacing(String)
      /// By reading the record and sending it whole with a null, as ``Updating/replaceMethod`` says.
      case replacingByNull
      /// By an operation `remove` of a JSON Patch.
      case removing
      /// By sending an empty text.
      case emptyText
      /// By sending the value that the service gives the field by default (``FieldDescription/serverDefault``).
      case defaultValue
      /// By a null, which is not proved: the record is read back.
      case untested
      /// Not at all.
      case impossible
    }

    /// How the changes are written.
    public enum Form: String, Sendable, Hashable, CaseIterable {
      /// As an object with the fields.
      case fields
      /// As a JSON Merge Patch: the same with a type of its own; a null clears.
      case mergePatch
      /// As a JSON Patch: a list of operations.
      case jsonPatch
    }

    /// The method that sends the fields that change; nil where the whole record is always read, changed and replaced.
    public var method: String?
    /// How a field is cleared.
    public var clearing: Clearing
    /// How some fields are cleared instead.
    public var clearings: [String: Clearing] = [:]
    /// The method that sends a whole record, unless ``clearing`` names one.
    public var replaceMethod = "PUT"
    /// Whether changes are sent to the resource and not to the record, whose identifier is then among the extras.
    public var isAtResource = false
    /// How the changes are written; a replacement is always an object with the fields.
    public var form = Form.fields
    /// What else is sent.
    public var extras = WriteParameters()
    /// How the fields are written.
    public var body = BodyForm.json
    /// The member of the document that holds the fields; empty where they are the document. Nil: as a record is read.
    public var wrapping: [String]?
    /// Whether a null that is sent is kept as one; elsewhere it clears the field.
    public var keepsNull: Bool
    /// Members of a record that are not sent with a replacement.
    public var dropped: [String]
    /// Parameters of the read whose fields are sent back with a replacement.
    public var reading: [(String, String)] = []
    /// Whether a response without a record is usual.
    public var mayAnswerNothing: Bool
    /// Whether the record is read after the change, since the response does not show it as it is stored.
    public var readsBack = false
    /// Whether the response shows the record as it is stored, so that another value in it means that the update failed.
    public var answersAsStored: Bool
    /// Whether an object is merged into the one that is there, so that members it does not name stay.
    public var mergesObjects: Bool
    /// Whether doing it twice leaves what doing it once leaves.
    public var isRepeatable: Bool
    /// Whether changes of different fields of one record at the same time are all kept.
    public var isAtomic = true

    /// How a field is cleared.
    func clearing(of field: String) -> Clearing { clearings[field] ?? clearing }

    /// The method that sends a whole record.
    var replacement: String { if case .replacing(let method) = clearing { method } else { replaceMethod } }

    /// Changes.
    public init(
      _ method: String?, clearing: Clearing, keepsNull: Bool = true, dropped: [String] = [],
      mayAnswerNothing: Bool = false, answersAsStored: Bool = false, mergesObjects: Bool = false,
      isRepeatable: Bool = true
    ) {
      self.method = method
      self.clearing = clearing
      self.keepsNull = keepsNull
      self.dropped = dropped
      self.mayAnswerNothing = mayAnswerNothing
      self.answersAsStored = answersAsStored
      self.mergesObjects = mergesObjects
      self.isRepeatable = isRepeatable
    }
  }

  /// How a record is deleted: DELETE of its path.
  public struct Deleting: Sendable {
    /// The method.
    public var method = "DELETE"
    /// What else is sent.
    public var extras = WriteParameters()
    /// The body; a text `{id}` in it is the identifier. Nil for none.
    public var body: Value?
    /// Whether it is sent to the resource and not to the record, whose identifier is then in the body or the parameters.
    public var isAtResource = false
    /// Whether the record can still be read afterwards, marked as deleted.
    public var isSoft = false
    /// Whether the record is read first, since the service also accepts the deletion of what is not there.
    public var readsFirst: Bool
    /// Whether DELETE of the resource deletes every record.
    public var all: Bool

    /// Deletions.
    public init(readsFirst: Bool = false, all: Bool = false) {
      self.readsFirst = readsFirst
      self.all = all
    }
  }
}

extension Service.Resource {
  /// Whether a creation with a chosen identifier may replace the record that has it: with PUT, at the path of a record, or by the request
  /// that also changes records.
  func mayReplace(_ creating: Service.Creating) -> Bool {
    guard !creating.asksForNew else { return false }
    return creating.method == "PUT" || creating.isAtItem || creating.takesIdentifiers && createsByUpdate
  }

  /// Whether one request makes and changes records, so that a change of a record that is not there makes it.
  var createsByUpdate: Bool {
    guard let creating, let updating else { return false }
    return (updating.method ?? updating.replacement) == creating.method && updating.isAtResource != creating.isAtItem
      && updating.extras.path == creating.extras.path
  }

  /// Whether a chosen identifier is looked for before a record is created.
  func looksFirst(_ creating: Service.Creating) -> Bool { creating.looksFirst ?? mayReplace(creating) }
}
