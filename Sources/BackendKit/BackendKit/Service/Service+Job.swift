extension Service {
  /// A write that the service accepts and does later: it is asked how far it is until it is done.
  public struct Job: Sendable {
    /// Where the address is that tells how far it is.
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

    /// Statuses of a write that say that it is not done yet.
    public var statuses: Set<Int>
    /// Where the address is that tells how far it is.
    public var address: Address
    /// The member that tells how far it is; nil where the status of the response does: ``statuses`` while it goes on.
    public var state: [String]?
    /// Its values while it goes on.
    public var pending: [String] = []
    /// Its values when it is done.
    public var done: [String] = []
    /// Its values when it has failed.
    public var failed: [String] = []
    /// Where it says how far it is; nil where it does not.
    public var progress: [String]?
    /// Where the message of a failure is.
    public var message: [String]?
    /// Where the record, or its address or identifier, is when it is done; nil where it has to be read.
    public var result: [String]?
    /// How long is waited between two looks, where the service does not say by Retry-After.
    public var interval = Duration.seconds(1)
    /// How long is waited in all.
    public var patience = Duration.seconds(120)

    /// A job.
    public init(statuses: Set<Int> = [202], at address: Address = .location, state: [String]? = nil) {
      self.statuses = statuses
      self.address = address
      self.state = state
    }
  }
}
