/// Receives every attempt as it goes over the wire, including its secrets, which a conforming type must remove from
/// anything that it shows.
public protocol AttemptTrace: Sendable {
  /// True if attempts are reported now.
  var isOn: Bool { get }

  /// Receives an event.
  func tell(_ event: TraceEvent)
}

/// An event of an attempt.
public struct TraceEvent: Sendable {
  /// The kind of event.
  public enum Kind: Sendable {
    /// The request is about to be sent; the address has path and query, encoded.
    case request(method: String, address: String, headers: [(String, String)], body: [UInt8]?)
    /// The head of the response arrived.
    case response(status: Int, headers: [(String, String)])
    /// The body was read as far as needed: its beginning, its whole length, and whether it was read to its end.
    case body([UInt8], length: Int, isWhole: Bool)
    /// No response came.
    case failure(String)
  }

  /// The number of the request in the process, from 1.
  public var request: Int
  /// The number of the attempt of the request, from 1.
  public var attempt: Int
  /// The time since the attempt began.
  public var time: Duration
  /// The kind of event.
  public var kind: Kind

  /// An event.
  public init(request: Int, attempt: Int, time: Duration, _ kind: Kind) {
    self.request = request
    self.attempt = attempt
    self.time = time
    self.kind = kind
  }
}
