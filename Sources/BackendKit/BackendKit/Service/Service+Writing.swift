extension Service {
  /// How a record is made: POST at the resource.
  public struct Creating: Sendable {
    /// Whether a response without a record is usual.
    public var mayAnswerNothing: Bool
    /// Whether the Location header of the response leads to the record.
    public var locates: Bool
    /// Whether whoever makes the record may choose its identifier.
    public var takesIdentifiers: Bool
    /// Whether a chosen identifier is looked for first, since the service's refusal of one that is taken cannot be told from
    /// a failure.
    public var looksFirst: Bool

    /// Making records.
    public init(
      mayAnswerNothing: Bool = false, locates: Bool = false, takesIdentifiers: Bool = false, looksFirst: Bool = false
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
      /// Not at all.
      case impossible
    }

    /// The method that sends the fields that change; nil where the whole record is always read, changed and replaced.
    public var method: String?
    /// How a field is cleared.
    public var clearing: Clearing
    /// Whether a null that is sent is kept as one; elsewhere it clears the field.
    public var keepsNull: Bool
    /// Members of a record that are not sent with a replacement.
    public var dropped: [String]
    /// Whether a response without a record is usual.
    public var mayAnswerNothing: Bool
    /// Whether the response shows the record as it is stored, so that another value in it means that the update failed.
    public var answersAsStored: Bool
    /// Whether an object is merged into the one that is there, so that members it does not name stay.
    public var mergesObjects: Bool
    /// Whether doing it twice leaves what doing it once leaves.
    public var isRepeatable: Bool

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

  /// What tells two versions of a record apart.
  public struct Revision: Sendable {
    /// Where it is read.
    public enum Source: Sendable, Hashable {
      /// In the ETag of a response with one record; a weak one only where that is declared to tell versions apart.
      case entityTag(isWeak: Bool)
      /// In a field of the record.
      case field(String)
    }

    /// Where it is read.
    public var source: Source
    /// The header by which a write insists on it.
    public var header: String
    /// Whether a deletion can insist on it, too.
    public var deletes: Bool
    /// Whether the service refuses a write without one.
    public var isRequired: Bool

    /// A revision.
    public init(_ source: Source, header: String = "If-Match", deletes: Bool = false, isRequired: Bool = false) {
      self.source = source
      self.header = header
      self.deletes = deletes
      self.isRequired = isRequired
    }

    /// The revision of a record, alone in its response where there is one.
    func read(_ record: Record, _ answer: HTTPResponse?) -> String? {
      switch source {
      case .entityTag(let isWeak): return answer?.entityTag(takingWeak: isWeak)
      case .field(let name): return RecordID(record.fields[name])?.text
      }
    }
  }

  /// Something that can be done with a record or with the resource.
  public struct Action: Sendable {
    /// What commands are told of it.
    public var description: ActionDescription
    /// The method.
    public var method: String
    /// The path below the record's, or the resource's. A part in braces, `{name}`, is the value of that input field.
    public var path: [String]
    /// How the input fields that are not in the path are sent.
    public var body: Body
    /// Whether it answers with a list, which is empty where the response is.
    public var answersList: Bool

    /// How input fields are sent.
    public enum Body: Sendable, Hashable {
      /// As an object, where there are any.
      case object
      /// As a list with one object.
      case list
    }

    /// An action.
    public init(
      _ description: ActionDescription, method: String = "POST", path: [String], body: Body = .object,
      answersList: Bool = false
    ) {
      self.description = description
      self.method = method
      self.path = path
      self.body = body
      self.answersList = answersList
    }

    /// The path with the values of fields in it, and the fields that are left for the body.
    func filled(_ fields: Object) throws(BackendError) -> (path: [String], rest: Object) {
      var rest = fields
      var filled: [String] = []
      for part in path {
        guard part.hasPrefix("{"), part.hasSuffix("}") else {
          filled.append(part)
          continue
        }
        let name = String(part.dropFirst().dropLast())
        guard let value = RecordID(fields[name]) else {
          throw .invalid("\(description.name) needs a \(name)", hint: "text or a number")
        }
        filled.append(value.text)
        rest[name] = nil
      }
      return (filled, rest)
    }
  }
}
