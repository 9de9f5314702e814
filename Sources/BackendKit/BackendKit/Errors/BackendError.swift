/// A failure of a backend, as data: a closed set of codes for programs, a sentence for people and, apart from both, the
/// effect on the data.
///
/// - Law status codes of reads: a 401 response throws `unauthorized`, 403 `forbidden`, 429 `rateLimited`, 503
///   `unavailable`, and 500 `unavailable` or `badResponse`; in a read of one record, a status that is declared to mean
///   that the record does not exist throws `notFound`.
/// - Law create returns 400 or 422: a 400 or 422 response to a create throws `invalid`, and nothing was changed.
/// - Law refusals are explained: the error of a refused create has a sentence of the response, if that has any, and
///   names the field if the response does; a value that has to be unique and is taken is refused, and 409 is then
///   `alreadyExists`.
/// - Law uncertain write outcome: a write that may have been applied is never reported as not applied: if there was no
///   response, or the response was lost, truncated, empty, an HTML page, a redirect, or had the status 500.
/// - Law transport errors: a transport error keeps its code and its effect, which is `notSent` for a request that was
///   never sent.
/// - Law error message form: an error message is a clause that says what failed: not empty, on one line, without a
///   period at its end.
/// - Law status overrides body: a response with an error status is an error, even if its body is valid, and
///   even in response to a write; a live description, too, fails on 500 and 503.
/// - Law status codes of writes: each error status in response to a write throws its code; from 500 up, except for 501,
///   the effect is `unknown`, and otherwise nothing was changed.
public struct BackendError: Error, Sendable, Hashable {
  /// The kind of a failure. Scripts match these words, so they are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// No such record or resource.
    case notFound
    /// A record with this identifier or name exists already.
    case alreadyExists
    /// Another user changed the record.
    case conflict
    /// The request or its data is not acceptable.
    case invalid
    /// Authentication required: there are no credentials, or the server does not accept them.
    case unauthorized
    /// The authenticated user may not do this.
    case forbidden
    /// Too many requests.
    case rateLimited
    /// The server could not be reached or cannot serve now.
    case unavailable
    /// No answer in time.
    case timedOut
    /// A response that the adapter cannot interpret.
    case badResponse
    /// The backend cannot do this; nothing was sent.
    case unsupported
    /// Cancelled by the user.
    case cancelled
    /// The configuration does not fit the server.
    case misconfigured
  }

  /// True if the server accepted a write and may perform it later, so that not seeing it proves nothing.
  public var isDeferred: Bool { httpStatus == 202 && effect == .unknown }

  /// The effect of a failed operation on the data.
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// Nothing was sent.
    case notSent
    /// The server refused: nothing changed.
    case rejected
    /// The change was made although the answer was an error.
    case applied
    /// The outcome is unknown.
    case unknown
  }

  /// The kind of failure.
  public var code: Code
  /// The effect on the data. For a read: `.notSent` or `.rejected`.
  public var effect: Effect
  /// The failure, as one clause without a period. May quote the server: it is untrusted text.
  public var message: String
  /// The next step to take, as a clause.
  public var hint: String?
  /// The operation, for example `update`; filled in by the client.
  public var operation: String?
  /// The backend's name; filled in by the client.
  public var backend: String?
  /// The resource; filled in by the client.
  public var resource: String?
  /// The record; filled in by the client.
  public var id: String?
  /// The HTTP status of the response that caused the error; nil if there was none.
  public var httpStatus: Int?
  /// The underlying cause, for diagnosis.
  public var cause: String?
  /// The address with the state of a write that the service accepted to do later.
  public var job: String?
  /// The number of seconds that the server asks to wait before the next request.
  public var retryAfter: Int?
  /// The server's messages on single fields, in its own words and order: untrusted text.
  public var fields: [FieldMessage]

  /// An error.
  public init(
    _ code: Code, _ message: String, effect: Effect, hint: String? = nil, operation: String? = nil,
    backend: String? = nil, resource: String? = nil, id: String? = nil, httpStatus: Int? = nil, cause: String? = nil,
    fields: [FieldMessage] = []
  ) {
    self.fields = fields
    self.code = code
    self.message = message
    self.effect = effect
    self.hint = hint
    self.operation = operation
    self.backend = backend
    self.resource = resource
    self.id = id
    self.httpStatus = httpStatus
    self.cause = cause
  }

  /// An operation that this backend does not support; nothing was sent.
  public static func unsupported(_ message: String, hint: String? = nil) -> BackendError {
    BackendError(.unsupported, message, effect: .notSent, hint: hint)
  }

  /// An unexpected response; for a write, the effect may differ.
  public static func badResponse(
    _ message: String, hint: String? = nil, httpStatus: Int? = nil, cause: String? = nil
  ) -> BackendError {
    BackendError(.badResponse, message, effect: .rejected, hint: hint, httpStatus: httpStatus, cause: cause)
  }

  /// A response with another record than the requested one.
  public static func answeredWith(_ other: RecordID?, effect: Effect = .rejected) -> BackendError {
    BackendError(.badResponse, "the server responded with record \(other?.text ?? "") instead", effect: effect)
  }

  /// Options or an address that the adapter refuses; nothing was sent.
  public static func misconfigured(_ message: String, hint: String? = nil) -> BackendError {
    BackendError(.misconfigured, message, effect: .notSent, hint: hint)
  }

  /// Data or a request refused before it is sent.
  public static func invalid(_ message: String, hint: String? = nil) -> BackendError {
    BackendError(.invalid, message, effect: .notSent, hint: hint)
  }
}

/// A server's message on one field of a request that it refused.
public struct FieldMessage: Sendable, Hashable {
  /// The field, or the path to a nested one.
  public var field: String
  /// The server's text.
  public var message: String

  /// A message.
  public init(_ field: String, _ message: String) {
    self.field = field
    self.message = message
  }
}

extension BackendError: CustomStringConvertible {
  /// One line: the code in words and the message.
  public var description: String { "\(code.words): \(message)" + (hint.map { " (\($0))" } ?? "") }
}

extension BackendError.Code {
  /// The code in words, for example "not found".
  public var words: String {
    var words = ""
    for character in rawValue {
      if character.isUppercase { words += " " }
      words += character.lowercased()
    }
    return words
  }
}
