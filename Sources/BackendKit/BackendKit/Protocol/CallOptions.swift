/// Parameters of a call besides its arguments, for backends that support them.
public struct CallOptions: Sendable {
  /// The key by which a service recognizes a repeated creation, so that nothing is created twice; nil for a new key for
  /// each creation.
  public var creationKey: String?
  /// True if a list that was just read does not contain the identifier: that of a creation need not be looked up first,
  /// that of a deletion is, since a service may confirm the deletion of nothing.
  public var isListedAbsent = false
  /// The way a write waits for jobs.
  public var jobs = JobWait()
  /// Called with the notes on the values of a write, before its first request.
  public var noted: @Sendable ([String]) -> Void = { _ in }
  /// The files that a write may send, by digest; a stand-in for any other file sends nothing.
  public var files: [String: UploadedFile] = [:]
  /// The lists that wait for changes before they are requested again; nil if nobody waits.
  public var changes: ListChanges?
  /// The number of records above which the list will not be read. If a service reports the total in a separate
  /// response, no page is then requested.
  package var mostTotal: Int?

  /// No options.
  public init() {}
}

/// The way a write waits for jobs of the service. By default it waits without reporting progress.
public struct JobWait: Sendable {
  /// True to wait until the job is done; otherwise the write ends once the service has accepted it.
  public var waits: Bool
  /// Called with the progress in the service's own words after each poll: untrusted text.
  public var tell: @Sendable (String) -> Void

  /// Called with the address of the job's state, as soon as it is known.
  public var accepted: @Sendable (String) async -> Void = { _ in }

  /// A way to wait.
  public init(waits: Bool = true, tell: @escaping @Sendable (String) -> Void = { _ in }) {
    self.waits = waits
    self.tell = tell
  }
}
