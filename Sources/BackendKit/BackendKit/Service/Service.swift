/// A REST service as a value: what its resources look like on the wire, in facts, and in at most ten pure functions what
/// is not data.
///
/// ``RESTBackend`` makes a ``Backend`` of it and owns everything else: requests, statuses, pages, cursors, comparison of
/// what was sent with what came back, receipts and errors. Nothing here sends, waits or sees a credential.
public struct Service: Sendable {
  /// What answers, for people: "Grails".
  public var product: String
  /// The version of the interface that is asked for, or nil where there is none.
  public var apiVersion: String?
  /// Headers of every request.
  public var headers: [(String, String)]
  /// Headers of requests that read, after those.
  public var readingHeaders: [(String, String)]
  /// The Content-Type of bodies.
  public var contentType: String
  /// The resources that are known without asking.
  public var resources: [Resource]
  /// What any other name is taken for, `name` and `path` replaced by it; nil where there are no other resources. Where no
  /// catalog tells which there are, it is tried without asking.
  public var others: Resource?
  /// How a live description looks at the service.
  public var inspection: Inspection
  /// What error responses look like.
  public var errors: Errors
  /// What is not data.
  public var hooks: Hooks

  /// A service.
  public init(
    product: String, apiVersion: String? = nil, headers: [(String, String)] = [("Accept", "application/json")],
    readingHeaders: [(String, String)] = [], contentType: String = "application/json", resources: [Resource],
    others: Resource? = nil, inspection: Inspection = Inspection(), errors: Errors = Errors(), hooks: Hooks = Hooks()
  ) {
    self.product = product
    self.apiVersion = apiVersion
    self.headers = headers
    self.readingHeaders = readingHeaders
    self.contentType = contentType
    self.resources = resources
    self.others = others
    self.inspection = inspection
    self.errors = errors
    self.hooks = hooks
  }

  /// How a live description looks at the service.
  public struct Inspection: Sendable {
    /// Where the service says something of itself; nil where it does not.
    public var about: RequestPath?
    /// The member of that response that names the version, which is put behind the product's name.
    public var version: String?
    /// A member and its value by which that response proves that the service is up; without one, or where it differs, the
    /// first page of a list is read.
    public var proof: (name: String, value: Value)?
    /// Whether the first page of the first resource is read, so that a wrong address is found.
    public var readsList: Bool
    /// Whether fields that nobody described are learnt from the first record of a resource.
    public var samples: Bool
    /// The resource whose records describe the others, which the hook `learn` makes of them.
    public var catalog: String?
    /// Where one response holds everything there is: an object with a list for each resource, or one object where that is
    /// one record. A description reads it, up to 8 MiB and ten seconds long, and no command does. The hook `learn` makes
    /// resources of it: it gets a record for each member, named by it, with the first records in the field `records`, or
    /// the one record in `record`.
    public var overview: RequestPath?

    /// What a description looks at.
    public init(
      about: RequestPath? = nil, version: String? = nil, proof: (name: String, value: Value)? = nil,
      readsList: Bool = false, samples: Bool = false, catalog: String? = nil, overview: RequestPath? = nil
    ) {
      self.overview = overview
      self.about = about
      self.version = version
      self.proof = proof
      self.readsList = readsList
      self.samples = samples
      self.catalog = catalog
    }
  }
}
