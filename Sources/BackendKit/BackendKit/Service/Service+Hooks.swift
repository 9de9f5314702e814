extension Service {
  /// The parts of a service that are not data: optional pure functions.
  ///
  /// Only `classify` and `step` see a status, and neither can make an effect better than the attempts prove.
  public struct Hooks: Sendable {
    /// Compiles the service's part of a query: conditions, search and native text. Without it, ``Service/Filters`` are
    /// used.
    public var compile: (@Sendable (ListQuery, Resource) throws(BackendError) -> Compiled)?
    /// Checks a draft and gives it the service's form. The fields to set and to clear stay the same, except for an
    /// identifier without content in a new record.
    public var encode: (@Sendable (inout Draft, Resource) throws(BackendError) -> Void)?
    /// Returns the body of a write, if it is not the fields themselves.
    public var wrap: (@Sendable (Object, RecordID?, Resource) throws(BackendError) -> Value)?
    /// Returns the record in a value that the service sent; throws `badResponse` if there is none.
    public var decode: (@Sendable (Value, Resource, _ inList: Bool) throws(BackendError) -> Record)?
    /// Returns the records of several values of a list at once, one result for each in their order: for a hook with a
    /// cost per call. `decode` is called for single records.
    public var decodeList: (@Sendable ([Value], Resource) throws(BackendError) -> [Result<Record, BackendError>])?
    /// Returns the form in which the service stores a value, to compare the value sent with the one that came back.
    public var stored: (@Sendable (Value) -> Value)?
    /// Returns the path of a record below its resource, if it is not its identifier; throws `invalid` if the identifier
    /// is not valid.
    public var locate: (@Sendable (RecordID, Resource) throws(BackendError) -> [String])?
    /// Returns the meaning of a failure that the status does not show.
    public var classify: (@Sendable (Failure) -> BackendError)?
    /// Returns the resources that the records of the catalog, or the members of the overview, describe.
    public var learn: (@Sendable ([Record]) -> [Resource])?
    /// Decides, before the request of a write and after each response to it that is not a success, whether the engine
    /// goes on as usual, sends another request, or ends. The object holds the hooks' state for the lifetime of the
    /// backend.
    public var step: (@Sendable (Operation, [Response], inout Object) -> Step)?
    /// Returns the service's name for the page after this one, if it is computed; nil if none follows. It is sent as
    /// ``Paging/cursor``.
    public var next: (@Sendable (Page, inout Object) throws(BackendError) -> String?)?

    /// No hooks.
    public init() {}
  }

  /// The service's part of a query.
  public struct Compiled: Sendable {
    /// The parameters.
    public var parameters: [(String, String)] = []
    /// One for each filter.
    public var filters: [Fidelity] = []
    /// For the search text.
    public var search = Fidelity.exact
    /// True if the parameters ask for the order, too.
    public var sorts = false
    /// Reasons why something is left to the console.
    public var notes: [String] = []

    /// No parameters.
    public init() {}
  }

  /// A failure whose meaning is in question.
  public struct Failure: Sendable {
    /// The request's method.
    public var method: String
    /// The request's path.
    public var path: RequestPath
    /// The status.
    public var status: Int
    /// The body; empty if it cannot be read.
    public var body: [UInt8]
    /// The service's error message in the body.
    public var words: String?
    /// The document, if a list was expected and it holds none; the status is then that of a success.
    public var document: Value?
    /// The resource.
    public var resource: Resource
    /// The record, if the request named one.
    public var id: RecordID?
    /// The object in the request's body; nil for any other body.
    public var sent: Object?
    /// The error that the status implies.
    public var error: BackendError
  }

  /// A write whose course a hook decides.
  public struct Operation: Sendable {
    /// The method of its last request.
    public var method: String
    /// The record, if it exists already.
    public var id: RecordID?
    /// The path of its last request.
    public var path: RequestPath
    /// The request for the write.
    public var request: HTTPRequest
    /// The error of the last request; nil if it succeeded.
    public var error: BackendError?
  }

  /// A response as a hook sees it.
  public struct Response: Sendable {
    /// The status.
    public var status: Int
    /// The header fields.
    public var headers: [(String, String)]
    /// The body.
    public var body: [UInt8]

    init(_ answer: HTTPResponse, _ body: [UInt8]) {
      status = answer.status
      headers = answer.headers
      self.body = body
    }
  }

  /// A page that was read to its end.
  public struct Page: Sendable {
    /// The service's name for the page; nil for the first.
    public var token: String?
    /// The number of records in the page.
    public var count: Int
    /// Its last record.
    public var last: Record?
    /// The document around the records.
    public var document: Value
  }

  /// The engine's next step.
  public enum Step: Sendable {
    /// The default step.
    case usual
    /// Another request.
    case send(HTTPRequest)
    /// Before the write: another request instead of it.
    case instead(HTTPRequest)
    /// The operation failed.
    case fail(BackendError)
  }
}
