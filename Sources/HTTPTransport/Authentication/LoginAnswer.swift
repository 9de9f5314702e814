import BackendKit

/// The reader of a server's response to a login.
struct LoginAnswer {
  /// The outcome of a login.
  enum Outcome {
    case token(Token)
    case refused(BackendError)
  }

  let fields: LoginScheme.TokenResponse
  /// The server that was asked.
  let place: String
  /// The path that was asked, for a message.
  let path: String
  /// Who logs in, as messages and later runs name it.
  let username: String
  /// The request, as messages name it.
  let request: String
  /// The advice after a refusal.
  let hint: String
  /// The values that no message may repeat.
  let secrets: [String]

  /// Reads the answer. Throws where it says neither yes nor no. A response without a token is a no, as many services
  /// answer a wrong password with success.
  func outcome(_ answer: HTTPResponse, now: Int) async throws(BackendError) -> Outcome {
    let bytes = try await answer.body.collect(limit: 1 << 20)
    let object = (try? JSONReader.read(bytes))?.object ?? Object()
    let said = message(object)
    switch answer.status {
    case 200...299 where isAbsent(object["error"]):
      guard let text = fields.token?.value(in: object)?.text, Token.isUsable(text) else {
        var error = fault(.unauthorized, "\(place) responded to the login without a token\(said)")
        if let path = fields.token { error.hint = "\(hint); the token is expected as \(path.text)" }
        return .refused(error)
      }
      return .token(token(text, object, now: now))
    case 404: return .refused(fault(.misconfigured, "\(place) has no login at /\(path)\(said)"))
    case 429: throw fault(.rateLimited, "\(place) is not accepting logins at the moment\(said)", after: answer)
    case 408, 425, 500...:
      throw fault(
        .unavailable, "\(place) cannot log in at the moment: status \(answer.status)\(said)", after: answer)
    // Whatever it means, the same password again does not make it better, and may lock the account.
    case 200...299, 400...499: return refusal(object)
    default: throw fault(.badResponse, "\(place) responded to the login with status \(answer.status)\(said)")
    }
  }

  /// The token with what the document of the response says of it.
  func token(_ text: String, _ document: Object, now: Int) -> Token {
    let moment = fields.expiresAt?.value(in: document)?.secondsSince1970
    return Token(
      text, username: username, lifetime: seconds(fields.expiresIn, document) ?? moment.map { max(1, $0 - now) },
      sliding: seconds(fields.slidingWindow, document), refresh: fields.refreshToken?.value(in: document)?.text,
      now: now)
  }

  /// The refusal, with what the document of the response says.
  func refusal(_ document: Object) -> Outcome {
    .refused(fault(.unauthorized, "\(place) refuses \(request)\(message(document))"))
  }

  private func fault(_ code: BackendError.Code, _ message: String, after answer: HTTPResponse? = nil) -> BackendError {
    var error = BackendError(code, message, effect: .rejected, hint: code == .unauthorized ? hint : nil)
    error.retryAfter = answer?.retryAfter
    if let seconds = error.retryAfter, seconds > 0 { error.hint = "retry after \(seconds) s" }
    return error
  }

  private func isAbsent(_ value: Value?) -> Bool { value == nil || value == .null || value == .string("") }

  private func seconds(_ path: FieldPath?, _ object: Object) -> Int? {
    let value = path?.value(in: object)
    let number = value?.integer ?? value?.text.flatMap { Int($0) }
    return number.flatMap { (1...1_000_000_000).contains($0) ? $0 : nil }
  }

  /// Returns the server's message for users, unless it repeats a secret.
  private func message(_ object: Object) -> String {
    for name in ["message", "error_description", "error"] {
      guard let text = object[name]?.text, !text.isEmpty else { continue }
      return secrets.contains { text.contains(text: $0) } ? "" : ": \(text.prefix(200))"
    }
    return ""
  }
}
