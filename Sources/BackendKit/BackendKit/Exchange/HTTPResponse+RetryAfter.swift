extension HTTPResponse {
  /// How many seconds the server asks to wait before it is asked again; nil where it has not had too many requests, and where it
  /// says no time.
  public var retryAfter: Int? { status == 429 || status == 503 ? retryAfter(now: SystemClock.seconds) : nil }

  /// How many seconds from `now`, in seconds since 1970, `Retry-After` names by a number or a date, whatever the status; nil where
  /// it does not. Never negative.
  public func retryAfter(now: Int) -> Int? {
    guard let text = header("Retry-After"), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(text) }
    return HTTPDate.seconds(text).map { max(0, $0 - now) }
  }
}
