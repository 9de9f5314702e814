extension HTTPResponse {
  /// The number of seconds that the server asks to wait before the next request; nil if its status is neither 429 nor
  /// 503, or names no time.
  public var retryAfter: Int? { status == 429 || status == 503 ? retryAfter(now: SystemClock.seconds) : nil }

  /// Returns the number of seconds from `now`, in seconds since 1970, that `Retry-After` gives as a number or date,
  /// whatever the status. Never negative. Fractions are rounded up; a number that can only be a time is taken for one.
  public func retryAfter(now: Int) -> Int? {
    guard let text = header("Retry-After"), !text.isEmpty else { return nil }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
      return HTTPDate.seconds(text, now: now).map { max(0, $0 - now) }
    }
    // Limits overlong numbers.
    let number = min(Int(parts[0]) ?? .max, Int.max / 2)
    let isFraction = parts.count > 1 && parts[1].utf8.contains { $0 != UInt8(ascii: "0") }
    let seconds = number + (isFraction ? 1 : 0)
    // Nobody asks to wait for 30 years.
    let moment = seconds >= 1_000_000_000_000 ? seconds / 1000 : seconds
    return moment < 1_000_000_000 ? moment : min(max(0, moment - now), 1_000_000_000)
  }
}
