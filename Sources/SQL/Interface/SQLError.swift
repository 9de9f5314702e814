package import BackendKit

/// The reason why a statement was refused or stopped.
package struct SQLError: Error, Sendable {
  package enum Kind: Sendable {
    /// The text is not a statement that can be run: nothing was sent.
    case statement
    /// Records are missing, or may be: no result was printed, or not all of a streamed one.
    case incomplete
    /// A value does not fit in SQL, or a limit of the statement was reached.
    case limit
    case backend(BackendError)
    /// The run was cancelled.
    case cancelled
  }

  package var kind: Kind
  /// The problem and its place, as one clause. May quote a server.
  package var message: String
  /// The next step to take, as one clause.
  package var hint: String?
  /// The place in the text of the statement, in bytes of UTF-8.
  package var position: Int?
  /// True if some records of the list had arrived before the backend failed.
  package var isCut = false

  package init(_ kind: Kind, _ message: String, hint: String? = nil, position: Int? = nil) {
    self.kind = kind
    self.message = message
    self.hint = hint
    self.position = position
  }

  /// The failure of a backend.
  package init(_ error: BackendError) {
    self.init(error.code == .cancelled ? .cancelled : .backend(error), error.message, hint: error.hint)
  }
}
