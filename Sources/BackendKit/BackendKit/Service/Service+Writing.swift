extension Service {
  /// The encoding of a write's fields in its body.
  public enum BodyForm: Sendable, Hashable {
    /// As JSON.
    case json
    /// As a form: `a=1&b=2`, members of objects and lists with brackets: `a[b]=1`, `c[0]=2`. Null is an empty text.
    case form
    /// As such a form, in which a list repeats its name for each plain value: `c=1&c=2`.
    case repeatingForm
  }

  /// The parts of a write other than the fields.
  public struct WriteParameters: Sendable {
    /// Header fields.
    public var headers: [(String, String)] = []
    /// Parameters.
    public var parameters: [(String, String)] = []
    /// Segments of the path after that of the record or resource.
    public var path: [String] = []
    /// Members of the document other than the fields, merged into objects that it has: constants, or the identifier in
    /// place of a text `{id}`, which also works in the parameters.
    public var members = Object()

    /// These additions.
    public init(
      path: [String] = [], parameters: [(String, String)] = [], headers: [(String, String)] = [],
      members: Object = Object()
    ) {
      self.path = path
      self.parameters = parameters
      self.headers = headers
      self.members = members
    }

    /// True if the identifier is in the parameters or the members.
    var namesRecord: Bool {
      parameters.contains { $0.1.contains(text: "{id}") }
        || JSONWriter.compact(.object(members)).contains(text: "{id}")
    }
  }

  /// The creation of a record: POST at the resource.
  public struct Creating: Sendable {
    /// The content of the response to a creation.
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
    /// True if the record is created at the path of its identifier, which the caller then has to choose. If nil, this
    /// is the case with PUT.
    public var atItem: Bool?
    /// Fields that are not sent in the body, such as an identifier that the path names.
    public var dropped: [String] = []
    /// Statuses that mean that a record with the identifier existed and was replaced. If empty, only 201 means that
    /// none existed.
    public var replacedStatuses: Set<Int> = []
    /// The parts of the request other than the fields.
    public var extras = WriteParameters()
    /// The encoding of the fields.
    public var body = BodyForm.json
    /// The member of the document that holds the fields; empty if they are the document. Nil for the place from which a
    /// record is read.
    public var wrapping: [String]?
    /// True if a null is sent; otherwise it is left out.
    public var sendsNull = true
    /// The content of the response.
    public var answer = Answer.record
    /// The header field for a text by which the service recognizes a repeated creation; nil if it has none.
    public var idempotencyKey: String?
    /// True if a response without a record is usual.
    public var mayAnswerNothing: Bool
    /// True if the Location header of the response leads to the record.
    public var locates: Bool
    /// True if the caller may choose the identifier of the new record.
    public var takesIdentifiers: Bool
    /// True if a chosen identifier is looked up first. If nil, it is if the request might replace the record that has
    /// it, unless it asks only for a new record (`If-None-Match: *` among the extras).
    public var looksFirst: Bool?

    /// True if the record is created at the path of its identifier.
    var isAtItem: Bool { atItem ?? (method == "PUT") }

    /// True if the request asks the service not to replace a record.
    var asksForNew: Bool { extras.headers.contains { $0.0.lowercased() == "if-none-match" && $0.1 == "*" } }

    /// Creates the rules for creating records.
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

  /// The way a record is changed.
  public struct Updating: Sendable {
    /// The way a field is cleared.
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
      /// By a null that is not proved to clear it: the record is read back.
      case untested
      /// Not at all.
      case impossible
    }

    /// The form in which changes are written.
    public enum Form: String, Sendable, Hashable, CaseIterable {
      /// As an object with the fields.
      case fields
      /// As a JSON Merge Patch: the same with a type of its own; a null clears.
      case mergePatch
      /// As a JSON Patch: a list of operations.
      case jsonPatch
    }

    /// The method that sends the changed fields; nil if the whole record is always read, changed and replaced.
    public var method: String?
    /// The way a field is cleared.
    public var clearing: Clearing
    /// The way some fields are cleared instead.
    public var clearings: [String: Clearing] = [:]
    /// The method that sends a whole record, unless ``clearing`` names one.
    public var replaceMethod = "PUT"
    /// True if changes are sent to the resource and not to the record, whose identifier is then among the extras.
    public var isAtResource = false
    /// The form in which changes are written; a replacement is always an object with the fields.
    public var form = Form.fields
    /// The parts of the request other than the fields.
    public var extras = WriteParameters()
    /// The encoding of the fields.
    public var body = BodyForm.json
    /// The member of the document that holds the fields; empty if they are the document. Nil for the place from which a
    /// record is read.
    public var wrapping: [String]?
    /// True if a null that is sent is stored as null; otherwise it clears the field.
    public var keepsNull: Bool
    /// Members of a record that are not sent with a replacement.
    public var dropped: [String]
    /// Parameters of the read whose fields are sent back with a replacement.
    public var reading: [(String, String)] = []
    /// True if a response without a record is usual.
    public var mayAnswerNothing: Bool
    /// True if the record is read after the change, since the response does not show it as it is stored.
    public var readsBack = false
    /// True if the response shows the record as it is stored, so that another value in it means that the update failed.
    public var answersAsStored: Bool
    /// True if an object is merged into the stored one, so that members it does not name stay.
    public var mergesObjects: Bool
    /// True if applying a change twice has the same result as applying it once.
    public var isRepeatable: Bool
    /// True if simultaneous changes of different fields of one record are all kept.
    public var isAtomic = true

    func clearing(of field: String) -> Clearing { clearings[field] ?? clearing }

    /// The content of a field that is cleared in this way; one that cannot be cleared is refused.
    func cleared(by clearing: Clearing) -> Capabilities.Cleared {
      switch clearing {
      case .replacing, .removing, .impossible: .absent
      case .null, .replacingByNull: keepsNull && form != .mergePatch ? .null : .absent
      case .untested: .untestedNull
      case .emptyText: .emptyText
      case .defaultValue: .serverDefault
      }
    }

    /// The method that sends a whole record.
    var replacement: String { if case .replacing(let method) = clearing { method } else { replaceMethod } }

    /// Creates the rules for changing records.
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

  /// The deletion of a record: DELETE of its path.
  public struct Deleting: Sendable {
    /// The method.
    public var method = "DELETE"
    /// The parts of the request other than the body.
    public var extras = WriteParameters()
    /// The body; a text `{id}` in it is the identifier. Nil for none.
    public var body: Value?
    /// True if the request is sent to the resource and not to the record, whose identifier is then in the body or the
    /// parameters.
    public var isAtResource = false
    /// True if the record can still be read afterwards, marked as deleted.
    public var isSoft = false
    /// True if the record is read first, since the service also accepts the deletion of a missing record; nil if it is
    /// when the request might create one.
    public var readsFirst: Bool?
    /// True if DELETE of the resource deletes every record.
    public var all: Bool

    /// Creates the rules for deleting records.
    public init(readsFirst: Bool? = nil, all: Bool = false) {
      self.readsFirst = readsFirst
      self.all = all
    }
  }
}

extension Service.Resource {
  /// Returns whether a creation with a chosen identifier may replace the record that has it: with PUT, at the path of a
  /// record, or by the request that also changes records.
  func mayReplace(_ creating: Service.Creating) -> Bool {
    guard !creating.asksForNew else { return false }
    return creating.method == "PUT" || creating.isAtItem || creating.takesIdentifiers && createsByUpdate
  }

  /// True if one request both creates and changes records, so that changing a record that does not exist creates it.
  var createsByUpdate: Bool {
    guard let creating, let updating else { return false }
    return (updating.method ?? updating.replacement) == creating.method && updating.isAtResource != creating.isAtItem
      && updating.extras.path == creating.extras.path
  }

  /// Returns whether a record is looked up before it is deleted: a request that creates or replaces records would
  /// create the missing one.
  func looksFirst(_ deleting: Service.Deleting) -> Bool {
    guard deleting.readsFirst == nil, hasItems else { return deleting.readsFirst ?? false }
    let isLikeCreation =
      creating.map {
        $0.method == deleting.method && $0.isAtItem != deleting.isAtResource && $0.extras.path == deleting.extras.path
      } ?? false
    return deleting.method == "PUT" || isLikeCreation
  }

  /// Returns whether a chosen identifier is looked up before a record is created.
  func looksFirst(_ creating: Service.Creating) -> Bool { creating.looksFirst ?? mayReplace(creating) }
}
