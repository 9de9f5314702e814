public import BackendKit

/// Looks at a service that nobody has described yet, by reading alone unless writes are to be tried, and proposes its
/// description.
public protocol ServiceSurveyor: Sendable {
  /// Looks at an address. First the address itself and the places where services keep their documents are read; then
  /// `agree` is told what else would be asked, and which links would not be read, and nothing more is sent where it
  /// returns false: the survey is then nil. It is told again of what roots within the root name, before any of that is
  /// read.
  ///
  /// Throws where the address does not answer or is not that of a service; all else that goes wrong is a fact that
  /// stays untested. Where the run is cancelled while a record of a trial exists, that is deleted first.
  func survey(
    _ order: SurveyOrder, agree: (SurveyPlan) async throws -> Bool
  ) async throws -> ServiceSurvey?

  /// Reads one document of YAML, by the core schema of version 1.2 and without tags, of at most 4 MiB.
  func document(ofYAML bytes: [UInt8]) throws(YAMLMistake) -> YAMLDocument

  /// A description as the file that the adapter `rest` reads.
  func file(of description: Object) -> String

  /// A description with the resources of a survey that it does not have yet, and the names of these: every line of it
  /// stays as it is. `base` is the path of the address that its paths are below. Throws where the resources cannot be
  /// put into it.
  func extended(
    _ description: [UInt8], named file: String, below base: String, with survey: ServiceSurvey
  ) throws(BackendError) -> (file: String, added: [String])

  /// The file of a description with changes in it, each written at the place of its key: comments, order and format
  /// stay, and nothing that a person has written is changed unless the change is proved. `date` is the day that the
  /// evidence of what `add` has written then has. Throws where the description cannot be read.
  func updated(
    _ description: DescriptionSource, with changes: [DescriptionChange], on date: String
  ) throws(BackendError) -> UpdatedDescription

  /// A description, or a configuration with descriptions in it, whose former keys are the present ones, all else as it
  /// is. Throws what cannot be read, or not replaced safely. A `file` whose name ends in `.json` is JSON, any other
  /// YAML.
  func migrated(_ bytes: [UInt8], file: String) throws(BackendError) -> MigratedDescription
}

/// A description with the present names of its keys.
public struct MigratedDescription: Sendable {
  /// A key that was replaced.
  public struct Change: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The keys that lead to it, with dots between them.
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
  /// The way to the origin of the address: every path begins at its root.
  public var exchange: any HTTPExchange
  /// The path of the address, with its query, as it is sent: `/api/v2/`.
  public var target: String
  /// The origin of the address: a link to another one is not read, unless it leads below the path of the address, as
  /// one by the public name of the service does. Nil: servers in links are not looked at.
  public var origin: Origin?
  /// The resources to look at, by name or by path below the address; empty for all that are found.
  public var only: [String] = []
  /// The path of the service's document from the origin's root; nil to look for it.
  public var document: String?
  /// The description that is there already, as the engine is given it: what it says otherwise than the service shows
  /// becomes ``ServiceSurvey/changes``.
  public var known: DescriptionSource?
  /// True if a service of a known product is described by its preset.
  public var takesPresets = false
  /// The day of the survey, as `2026-11-25`, which the description says of what was seen; nil to leave it out.
  public var date: String?
  /// The number of requests that may be sent in all unless --max-requests is given.
  public static let usualRequests = 400
  /// The maximum number of requests, over the whole survey.
  public var requests = SurveyOrder.usualRequests
  /// The maximum number of requests for one resource.
  public var requestsPerResource = 25
  /// True to read links to single records, and to resources below one, if a response names them.
  public var followsRecordLinks = false
  /// True to try writes, too: in each resource that seems writable, one marked record is created, changed and deleted.
  public var triesWrites = false
  /// Returns whether values under a name are secrets, which are not copied from one record to another.
  public var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Told the names of the fields that the service's document calls passwords, once it was read and before any list is.
  public var onSecretFields: @Sendable ([String]) -> Void = { _ in }
  /// Told what is asked next, for people.
  public var onProgress: @Sendable (String) -> Void = { _ in }

  /// An order to look at what answers at a path.
  public init(exchange: any HTTPExchange, target: String) {
    self.exchange = exchange
    self.target = target
  }
}

/// The requests that a survey is going to send, and the number it has sent.
public struct SurveyPlan: Sendable, Hashable {
  /// The requests to come, and the links that are not read.
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

/// Requests that a survey is going to send.
public struct PlannedRequests: Sendable, Hashable {
  /// The method and the shape of the path: `GET /api/items/{id}`.
  public var shape: String
  /// The maximum number of requests.
  public var count: Int
  /// True if the requests change data.
  public var isWrite: Bool
  /// The reason why a link that a response or a document names is not read; nil for requests that are sent. If set, the
  /// shape is the path of the link, and the count is 0.
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
  /// The base address below the origin: `/api/v2`.
  public var base: String
  /// The description, as the file of the adapter `rest` has it.
  public var description: Object
  /// The description as a file.
  public var file: String
  /// Every fact, with what it is known from.
  public var claims: [SurveyClaim]
  /// The differences between the service's document and its behavior, one sentence each.
  public var differences: [String]
  /// The differences between the existing description and the service.
  public var changes: [DescriptionChange] = []
  /// Notes on the survey, mainly on parts that were not examined, one sentence each.
  public var notes: [String]
  /// The steps of the trial of writes, in order; empty without a trial.
  public var trial: [TrialStep] = []
  /// Records of a trial that may still be there, a sentence each, with what names them.
  public var leftovers: [String] = []
  /// Records that disappeared when a trial deleted its own, as a number and the resource each.
  public var losses: [String] = []
  /// The number of requests sent.
  public var requests: Int
  /// Why the description cannot be used; nil where it can.
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
    /// A document or a preset says so, or what the service showed may have another reason.
    case likely
    /// A document says so, and the service showed otherwise.
    case contradicted
    /// Nothing showed it.
    case untested
  }

  /// Who says it.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The service, which was asked.
    case probe
    /// A document of the service.
    case document
    /// A preset: the usual behavior of services of its kind.
    case preset
  }

  /// The resource; nil for what holds for the service.
  public var resource: String?
  /// The fact, by its keys in the description: `page.style`.
  public var fact: String
  /// The value of the fact.
  public var value: Value
  /// The certainty of the fact.
  public var grade: Grade
  /// The evidence: methods, shapes of paths, statuses and counts, never values.
  public var evidence: String
  /// Who says it.
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
