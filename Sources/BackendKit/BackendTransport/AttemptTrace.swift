/// Is told of every attempt as it goes over the wire, with the secrets in it: whoever shows any of it takes them out first.
public protocol AttemptTrace: Sendable {
  /// Whether attempts are to be told now.
  var isOn: Bool { get }

  /// Takes what happened.
  func tell(_ event: TraceEvent)
}

/// Something that happened to an attempt.
public struct TraceEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// The request is handed over to be sent; the address has path and query, encoded.
    case request(method: String, address: String, headers: [(String, String)], body: [UInt8]?)
    /// The head of the response is there.
    case response(status: Int, headers: [(String, String)])
    /// The body was read as far as anybody wanted it: its beginning, how long all of it was, and whether it came to its end.
    case body([UInt8], length: Int, isWhole: Bool)
    /// No response came.
    case failure(String)
  }

  /// Which request of the process it belongs to, from 1.
  public var request: Int
  /// Which attempt of the request, from 1.
  public var attempt: Int
  /// The time since the attempt began.
  public var time: Duration
  /// What happened.
  public var kind: Kind

  /// An event.
  public init(request: Int, attempt: Int, time: Duration, _ kind: Kind) {
    self.request = request
    self.attempt = attempt
    self.time = time
    self.kind = kind
  }
}
