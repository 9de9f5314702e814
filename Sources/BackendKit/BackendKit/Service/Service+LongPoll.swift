extension Service {
  /// A request for a list whose response comes once the list has changed, or after a time.
  public struct LongPoll: Sendable, Hashable {
    /// The parameter for the last index seen.
    public var parameter: String
    /// The place of the index in a response.
    public var index: ResponseLocation
    /// The parameter for the longest wait; nil if the service decides.
    public var waitParameter: String?
    /// The value of ``waitParameter``, with the number of seconds in place of `{seconds}`.
    public var wait = "{seconds}"
    /// The longest wait to ask for, in seconds: shorter than the time after which a missing response is a failure.
    public var longest = 20

    /// A long poll.
    public init(_ parameter: String, index: ResponseLocation) {
      self.parameter = parameter
      self.index = index
    }
  }
}
