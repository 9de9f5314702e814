extension Service {
  /// A write that the service accepts and completes later: its state is polled until it is done.
  public struct Job: Sendable {
    /// The place of the address that reports the job's state.
    public enum Address: Sendable, Hashable {
      /// In the header field Location.
      case location
      /// In a header field of this name.
      case header(String)
      /// At a path of members of the response.
      case member([String])
      /// At a path below the base, in which `{id}` stands for what is at a path of members of the response.
      case template(String, id: [String])
    }

    /// Statuses of a write that mean that it is not done yet.
    public var statuses: Set<Int>
    /// The place of the address that reports the job's state.
    public var address: Address
    /// The path to the state in the response; nil if the status of the response shows it: ``statuses`` while the job
    /// runs.
    public var state: [String]?
    /// The states while the job runs.
    public var pending: [String] = []
    /// The states of a finished job.
    public var done: [String] = []
    /// The states of a failed job.
    public var failed: [String] = []
    /// The path to the progress; nil if none is reported.
    public var progress: [String]?
    /// The path to the message of a failure.
    public var message: [String]?
    /// The path to the record, or its address or identifier, in the response of a finished job; nil if the record has
    /// to be read.
    public var result: [String]?
    /// The longest time between two polls, unless the service sends Retry-After. The first ones follow sooner.
    public var interval = Duration.seconds(1)
    /// The longest time to wait for the job.
    public var patience = Duration.seconds(120)

    /// A job.
    public init(statuses: Set<Int> = [202], at address: Address = .location, state: [String]? = nil) {
      self.statuses = statuses
      self.address = address
      self.state = state
    }
  }
}
