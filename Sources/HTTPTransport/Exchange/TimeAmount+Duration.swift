import NIOCore

extension TimeAmount {
  /// The same time, to the nanosecond; the longest there is where it is longer.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    self = overflow ? .hours(24 * 365) : .nanoseconds(whole + attoseconds / 1_000_000_000)
  }
}
