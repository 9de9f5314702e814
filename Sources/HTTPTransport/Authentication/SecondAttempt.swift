import BackendKit

/// The second attempt of a request whose token was refused.
///
/// The refusal says that nothing was done, but does not prove it.
enum SecondAttempt {
  /// The statuses that a write may get because the first attempt has performed it: the record is missing, or exists
  /// already.
  private static let doubtful: Set<Int> = [404, 409, 410, 412]

  /// Returns the response to the second attempt. Throws if it leaves the outcome of a write open.
  static func judged(
    _ answer: HTTPResponse, of request: HTTPRequest, after status: Int, at place: String
  ) async throws(BackendError) -> HTTPResponse {
    guard request.mayWrite else { return answer }
    if doubtful.contains(answer.status) {
      let words = BackendError.quoted(answer.words(in: try await answer.explanation())).map { ": \($0)" } ?? ""
      throw BackendError(
        .badResponse,
        "\(place) responded with status \(status), and when the request was sent again after a login with status \(answer.status)\(words)",
        effect: .unknown, hint: "check the record before retrying", httpStatus: answer.status)
    }
    if answer.isSuccess, request.effect == .write {
      AttemptLog.current?.add(
        note:
          "sent again after a login, since the server had responded with status \(status): if it had carried out the request anyway, this was done twice"
      )
    }
    return answer
  }
}
