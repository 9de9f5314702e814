extension Service {
  /// How a list is asked for so that the response comes once the list has changed, or a time is over.
  public struct LongPoll: Sendable, Hashable {
    /// The parameter for what was seen last.
    public var parameter: String
    /// Where a response has it.
    public var index: ResponseLocation
    /// The parameter for the longest time; nil where the service decides.
    public var waitParameter: String?
    /// The time in it: `{seconds}` stands for the number of seconds.
    public var wait = "{seconds}"
    /// The most seconds to ask for: fewer than it takes until a missing response is a failure.
    public var longest = 20

    /// A long poll.
    public init(_ parameter: String, index: ResponseLocation) {
      self.parameter = parameter
      self.index = index
    }
  }
}
