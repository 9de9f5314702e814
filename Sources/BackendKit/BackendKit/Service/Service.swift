/// A REST service as a value: the form of its resources on the wire, as facts, and a few pure functions for the rest.
///
/// ``RESTBackend`` makes a ``Backend`` of it and owns everything else: requests, statuses, pages, cursors, comparison
/// of sent and received values, receipts and errors. Nothing here sends, waits or sees a credential.
public struct Service: Sendable {
  /// The product's name as shown to people: "Grails".
  public var product: String
  /// The interface version to request; nil if there is none.
  public var apiVersion: String?
  /// Headers of every request.
  public var headers: [(String, String)]
  /// Additional headers of reads.
  public var readingHeaders: [(String, String)]
  /// The Content-Type of bodies.
  public var contentType: String
  /// The resources that are known without a request.
  public var resources: [Resource]
  /// The template for a resource of any other name, with that `name` and `path` filled in; nil if there are no other
  /// resources. If no catalog lists the resources, it is tried without asking.
  public var others: Resource?
  /// Resources that only a document of the service describes, which are read when they are used; nil for none.
  public var outlined: OutlinedResources<Resource>?
  /// The requests with which a live description inspects the service.
  public var inspection: Inspection
  /// The layout of error responses.
  public var errors: Errors
  /// The parts of the service that are not data.
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

  /// The requests with which a live description inspects the service.
  public struct Inspection: Sendable {
    /// The path at which the service describes itself; nil if there is none.
    public var about: RequestPath?
    /// The member of that response with the version, which is appended to the product's name.
    public var version: String?
    /// A member and its value by which that response proves that the service is up; without one, or if it differs, the
    /// first page of a list is read.
    public var proof: (name: String, value: Value)?
    /// True if the first page of the first resource is read, to detect a wrong address.
    public var readsList: Bool
    /// True if undescribed fields are learned from the first record of a resource.
    public var samples: Bool
    /// The resource whose records describe the others; the hook `learn` creates these from them.
    public var catalog: String?
    /// The path at which one response holds all data: an object with a list for each resource, or with one object if
    /// that is a single record. Only a description reads it, up to 8 MiB and for up to ten seconds; commands do not.
    /// The hook `learn` creates resources from it: it gets a record for each member, with the member's name, and with
    /// the first records in the field `records`, or the one record in `record`.
    public var overview: RequestPath?

    /// Creates an inspection.
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
