extension BackendError.Effect {
  /// The effect that the status of a response proves for a write: the one table of statuses.
  ///
  /// Only statuses that mean a refusal are refusals. A redirect to a page often follows a completed write (300 to 306),
  /// and a server that gave up waiting may have received all of it (408, 499). 202 promises a write for later. 307 and
  /// 308 ask for the request at another address, 421 and 425 for a repetition, and 501 means that the server has no such
  /// method: nothing was done.
  public init(ofWriteAnswered status: Int) {
    switch status {
    case 202, 408, 499: self = .unknown
    case 200..<300: self = .applied
    case 307, 308, 400..<500, 501: self = .rejected
    default: self = .unknown
    }
  }
}
