extension Service {
  /// What of a service is not data: pure functions, each of which may be left out.
  ///
  /// They are asked with values and answer with values. Only `classify` and `step` see a status, and neither makes an
  /// effect better than the attempts prove.
  public struct Hooks: Sendable {
    /// Asks the service for its part of a query: conditions, search and what is written in its own language. Without it
    /// ``Service/Filters`` count.
    public var compile: (@Sendable (ListQuery, Resource) throws(BackendError) -> Compiled)?
    /// Checks what is going to be written and gives it the form that the service takes.
    public var encode: (@Sendable (inout Draft, Resource) throws(BackendError) -> Void)?
    /// The body of a write, where it is another than the fields themselves.
    public var wrap: (@Sendable (Object, RecordID?, Resource) throws(BackendError) -> Value)?
    /// Makes a record of what the service sent; throws `badResponse` where it is none.
    public var decode: (@Sendable (Value, Resource, _ inList: Bool) throws(BackendError) -> Record)?
    /// Makes records of several values of a list at once, one result for each in their order: for a hook that costs something each
    /// time it is asked. `decode` is asked for single records.
    public var decodeList: (@Sendable ([Value], Resource) throws(BackendError) -> [Result<Record, BackendError>])?
    /// What the service stores of a value, for comparing what was sent with what came back.
    public var stored: (@Sendable (Value) -> Value)?
    /// The path of a record below its resource, where it is another than its identifier; throws `invalid` for what is not
    /// one.
    public var locate: (@Sendable (RecordID, Resource) throws(BackendError) -> [String])?
    /// Says what a failure means that the status alone does not tell.
    public var classify: (@Sendable (Failure) -> BackendError)?
    /// Makes resources of the records of the catalog, or of the members of the overview.
    public var learn: (@Sendable ([Record]) -> [Resource])?
    /// Decides before the request of a write, and after a response to it that is none of success, whether the engine goes on as usual, sends
    /// another request, or ends. The object is what the hooks keep, for as long as the backend lives.
    public var step: (@Sendable (Operation, [Response], inout Object) -> Step)?
    /// What the service calls the page behind this one, where that is computed; nil where none follows. It is sent as
    /// ``Paging/cursor``.
    public var next: (@Sendable (Page, inout Object) throws(BackendError) -> String?)?

    /// No hooks.
    public init() {}
  }

  /// What the service is asked for of a query.
  public struct Compiled: Sendable {
    /// The parameters.
    public var parameters: [(String, String)] = []
    /// One for each filter.
    public var filters: [Fidelity] = []
    /// For the search text.
    public var search = Fidelity.exact
    /// Why something is left to the console.
    public var notes: [String] = []

    /// Nothing is asked for.
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
    /// The body, or nothing where it cannot be read.
    public var body: [UInt8]
    /// What the service says in it.
    public var words: String?
    /// The document, where a list was expected and it holds none; the status is then that of a success.
    public var document: Value?
    /// The resource.
    public var resource: Resource
    /// The record, where one was named.
    public var id: RecordID?
    /// The object that the request sends as its body; nil for any other body, and for none.
    public var sent: Object?
    /// What it means by its status.
    public var error: BackendError
  }

  /// A write whose course a hook decides.
  public struct Operation: Sendable {
    /// The method of its last request.
    public var method: String
    /// The record, where it is there already.
    public var id: RecordID?
    /// The path of its last request.
    public var path: RequestPath
    /// The request that makes the write.
    public var request: HTTPRequest
    /// What it means that the last request failed; nil where it did not.
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
    /// What the service calls it; nil for the first.
    public var token: String?
    /// How many records it has.
    public var count: Int
    /// Its last record.
    public var last: Record?
    /// What is around the records.
    public var document: Value
  }

  /// What comes next.
  public enum Step: Sendable {
    /// What the engine does by itself.
    case usual
    /// One more request.
    case send(HTTPRequest)
    /// Before the write: another request in its place.
    case instead(HTTPRequest)
    /// The operation failed.
    case fail(BackendError)
  }
}
