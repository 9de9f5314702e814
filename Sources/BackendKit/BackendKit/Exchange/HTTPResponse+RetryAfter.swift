extension HTTPResponse {
  /// The number of seconds that the server asks to wait before the next request; nil if its status is neither 429 nor
  /// 503, or if it names no time.
  public var retryAfter: Int? { status == 429 || status == 503 ? retryAfter(now: SystemClock.seconds) : nil }

  /// Returns the number of seconds from `now`, in seconds since 1970, that `Retry-After` names by a number or a date,
  /// whatever the status; nil if it names none. Never negative.
  public func retryAfter(now: Int) -> Int? {
    guard let text = header("Retry-After"), !text.isEmpty else { return nil }
    // Nobody waits for a billion seconds.
    if text.utf8.allSatisfy(\.isDigit) { return min(Int(text) ?? .max, 1_000_000_000) }
    return HTTPDate.seconds(text).map { max(0, $0 - now) }
  }
}
