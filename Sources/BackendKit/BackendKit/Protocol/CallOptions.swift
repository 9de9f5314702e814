/// Everything that goes with a call besides its arguments, for backends that heed it.
public struct CallOptions: Sendable {
  /// The text by which a service that takes one knows a creation that is sent again, so that nothing is made twice; each
  /// creation gets one of its own where there is none.
  public var creationKey: String?
  /// True if a list that was just read does not have the identifier of the creation, so that nothing is looked for first.
  public var isListedAbsent = false
  /// The way a write waits for work that the service does later.
  public var jobs = JobWait()
  /// The files that a write may send, by their digests: a value that names another one sends nothing.
  public var files: [String: UploadedFile] = [:]
  /// The lists that are requested again once they have changed; nil where nobody waits for changes.
  public var changes: ListChanges?
  /// The number of records above which nobody reads the list. A service that reports the total in response to a request of
  /// its own is then not asked for a page.
  package var mostTotal: Int?

  /// Nothing.
  public init() {}
}
