public import BackendKit

/// Surveys an undescribed service and proposes its description; only reads, unless the order permits a trial of writes.
public protocol ServiceSurveyor: Sendable {
  /// Surveys an address. First the address itself and the usual places of documents are read. Then `agree` gets the
  /// planned requests and the links that would not be read; if it returns false, nothing more is sent and the survey is
  /// nil. It is called again for what lists in the root name, before any of that is read.
  ///
  /// Throws if the address does not respond or is not that of a service; other failures leave facts untested. If the
  /// run is cancelled while a record of a trial exists, that is deleted first.
  func survey(
    _ order: SurveyOrder, agree: (SurveyPlan) async throws -> Bool
  ) async throws -> ServiceSurvey?

  /// Reads one document of YAML, by the core schema of version 1.2 and without tags, of at most 4 MiB.
  func document(ofYAML bytes: [UInt8]) throws(YAMLMistake) -> YAMLDocument

  /// A description as a file for the adapter `rest`.
  func file(of description: Object) -> String

  /// Adds the resources of a survey that a description's file lacks, and returns their names. Existing lines stay as
  /// they are. `base` is the path of the address that its paths are relative to. Throws if the resources cannot be
  /// added.
  func extended(
    _ description: DescriptionSource, below base: String, with survey: ServiceSurvey
  ) throws(BackendError) -> (file: String, added: [String])

  /// A description file with changes applied, each at the place of its key. Comments, order and format stay, and a
  /// person's lines change only if the change is proved. `date` becomes the date of evidence noted by `add`. Throws if
  /// the description cannot be read.
  func updated(
    _ description: DescriptionSource, with changes: [DescriptionChange], on date: String
  ) throws(BackendError) -> UpdatedDescription

  /// Renames the former keys of a description, or of a configuration with descriptions, and keeps everything else.
  /// Throws if it cannot be read or a key cannot be replaced safely. A `file` whose name ends in `.json` is JSON, any
  /// other YAML.
  func migrated(_ bytes: [UInt8], file: String) throws(BackendError) -> MigratedDescription
}

/// A description with the present names of its keys.
public struct MigratedDescription: Sendable {
  /// A key that was replaced.
  public struct Change: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The keys that lead to it, joined by dots.
    public var path: String
    /// The present name of the key.
    public var name: String

    /// A change.
    public init(line: Int, path: String, name: String) {
      self.line = line
      self.path = path
      self.name = name
    }
  }

  /// The text.
  public var bytes: [UInt8]
  /// The replacements, in the order of the text.
  public var changes: [Change]

  /// A migrated description.
  public init(bytes: [UInt8], changes: [Change]) {
    self.bytes = bytes
    self.changes = changes
  }
}

/// The subject and the extent of a survey.
public struct SurveyOrder: Sendable {
  /// The connection to the origin of the address; paths begin at its root.
  public var exchange: any HTTPExchange
  /// The same connection without the credentials; nil if it has none.
  public var bareExchange: (any HTTPExchange)?
  /// The path of the address, with its query, as it is sent: `/api/v2/`.
  public var target: String
  /// The origin of the address. Links to another one are not read unless they lead below the path of the address, as
  /// links with the public name of the service do. Nil: the origins of links are not checked.
  public var origin: Origin?
  /// The resources to look at, by name or by path below the address; empty for all that are found.
  public var only: [String] = []
  /// The path of the service's document from the origin's root; nil to search for it.
  public var document: String?
  /// The operator's files with the service's document: the document, then those that it refers to by relative paths.
  /// Empty to read it from the service.
  public var documentFiles: [(path: String, bytes: [UInt8])] = []
  /// The existing description, as the engine gets it. Its differences from the service become
  /// ``ServiceSurvey/changes``.
  public var known: DescriptionSource?
  /// The one list of the existing description to look at; nil for those that `only` names.
  public var list: SurveyedList?
  /// True to describe a service of a known product by its preset.
  public var takesPresets = false
  /// The day of the survey, as `2026-11-25`, with which the description dates its evidence; nil to omit it.
  public var date: String?
  /// The maximum number of requests unless --max-requests is given.
  public static let usualRequests = 400
  /// The maximum number of requests, over the whole survey; unless it is chosen, files that a document refers to do not
  /// count.
  public var requests = SurveyOrder.usualRequests
  /// The maximum number of requests for one resource.
  public var requestsPerResource = 25
  /// True to read links to single records, and to resources below one, if a response contains them.
  public var followsRecordLinks = false
  /// True to try writes: in each resource that seems writable, one marked record is created, changed and deleted.
  public var triesWrites = false
  /// Returns whether values of a name are secrets, which are not copied from one record to another.
  public var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Called with the fields that the service's document declares as passwords, after it is read and before any list is.
  public var onSecretFields: @Sendable ([String]) -> Void = { _ in }
  /// Called with the logins that the service's document describes, after it is read.
  public var onLogins: @Sendable ([DocumentedLogin]) -> Void = { _ in }
  /// Called with a text about the next requests.
  public var onProgress: @Sendable (String) -> Void = { _ in }

  /// An order to survey what responds at a path.
  public init(exchange: any HTTPExchange, target: String) {
    self.exchange = exchange
    self.target = target
  }
}

/// A list of an existing description. Of one that only a document describes, the survey proposes a description.
public struct SurveyedList: Sendable, Hashable {
  /// The name of its resource.
  public var name: String
  /// The path from the origin's root, as it is sent.
  public var path: String
  /// The path to show, without the identifiers of records.
  public var shape: String

  /// A list.
  public init(name: String, path: String, shape: String) {
    (self.name, self.path, self.shape) = (name, path, shape)
  }
}

/// The requests that a survey plans, and the number already sent.
public struct SurveyPlan: Sendable, Hashable {
  /// The planned requests, and the links that are not read.
  public var requests: [PlannedRequests]
  /// The number of requests sent so far, for the address and for documents.
  public var sent: Int
  /// The number of requests that may still be sent, over the whole survey.
  public var left: Int

  /// A plan.
  public init(requests: [PlannedRequests], sent: Int, left: Int) {
    (self.requests, self.sent, self.left) = (requests, sent, left)
  }
}

/// Planned requests of one shape.
public struct PlannedRequests: Sendable, Hashable {
  /// The method and the shape of the path: `GET /api/items/{id}`.
  public var shape: String
  /// The maximum number of requests.
  public var count: Int
  /// True if the requests change data.
  public var isWrite: Bool
  /// The reason why a link from a response or document is not read; nil for requests that are sent. If set, the shape
  /// is the path of the link, and the count is 0.
  public var notRead: String?

  /// Requests of one shape.
  public init(shape: String, count: Int, isWrite: Bool = false) {
    self.shape = shape
    self.count = count
    self.isWrite = isWrite
  }

  /// A link that is not read, by its path.
  public init(link path: String, notRead reason: String) {
    self.init(shape: path, count: 0)
    notRead = reason
  }
}

/// The results of a survey of a service.
public struct ServiceSurvey: Sendable {
  /// The base path below the origin: `/api/v2`.
  public var base: String
  /// The description, as the adapter `rest` reads it.
  public var description: Object
  /// The description as a file.
  public var file: String
  /// The description without the resources in ``companion``, as a file.
  public var fileAlone: String {
    var description = description
    description["documented"] = nil
    return YAMLWriter.text(.object(description), listsOnOneLine: true) + "\n"
  }
  /// The file beside it, with the resources that only the service's document describes; nil without any.
  public var companion: [UInt8]?
  /// Those resources.
  public var outlines: [ResourceOutline] = []
  /// Every fact, with its evidence.
  public var claims: [SurveyClaim]
  /// The differences between the service's document and its behavior, one sentence each.
  public var differences: [String]
  /// The differences between the existing description and the service.
  public var changes: [DescriptionChange] = []
  /// Notes on the survey, mainly on parts that were not examined, one sentence each.
  public var notes: [String]
  /// The steps of the trial of writes, in order; empty without a trial.
  public var trial: [TrialStep] = []
  /// Records of a trial that may remain, with their identifiers, a sentence each.
  public var leftovers: [String] = []
  /// Records that disappeared when a trial deleted its own, as a number and the resource each.
  public var losses: [String] = []
  /// The number of requests sent.
  public var requests: Int
  /// The reason why the description cannot be used; nil if it can.
  public var defect: String?

  /// Creates the results of a survey.
  public init(
    base: String, description: Object, file: String, claims: [SurveyClaim], differences: [String], notes: [String],
    requests: Int, defect: String? = nil
  ) {
    self.base = base
    self.description = description
    self.file = file
    self.claims = claims
    self.differences = differences
    self.notes = notes
    self.requests = requests
    self.defect = defect
  }
}

/// A step in a trial of writes, with its outcome.
public struct TrialStep: Sendable, Hashable {
  /// The resource.
  public var resource: String
  /// The name of the step: `create`, `stale revision`.
  public var name: String
  /// The outcome: methods, shapes of paths and statuses, never values.
  public var outcome: String

  /// A step.
  public init(resource: String, name: String, outcome: String) {
    self.resource = resource
    self.name = name
    self.outcome = outcome
  }
}

/// A fact that a survey claims.
public struct SurveyClaim: Sendable, Hashable {
  /// The certainty of a fact.
  public enum Grade: String, Sendable, Hashable, CaseIterable {
    /// The service showed it.
    case proved
    /// A document or a preset says so, or the service's behavior allows other explanations.
    case likely
    /// A document says so, but the service showed otherwise.
    case contradicted
    /// Nothing showed it.
    case untested
  }

  /// The source of a fact.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The service, by a request.
    case probe
    /// A document of the service.
    case document
    /// A preset: the usual behavior of services of its kind.
    case preset
  }

  /// The resource; nil for facts of the whole service.
  public var resource: String?
  /// The fact, by its keys in the description: `page.style`.
  public var fact: String
  /// The value of the fact.
  public var value: Value
  /// The certainty of the fact.
  public var grade: Grade
  /// The evidence: methods, shapes of paths, statuses and counts, never values.
  public var evidence: String
  /// The source of the fact.
  public var source: Source

  /// A claim.
  public init(
    resource: String?, fact: String, value: Value, grade: Grade, evidence: String, source: Source = .probe
  ) {
    self.resource = resource
    self.fact = fact
    self.value = value
    self.grade = grade
    self.evidence = evidence
    self.source = source
  }
}
