import BackendKit

/// Reads a server's response to a login.
struct LoginAnswer {
  enum Outcome {
    case token(Token)
    case refused(BackendError)
  }

  let fields: LoginScheme.TokenResponse
  let place: String
  /// The path of the request, for messages.
  let path: String
  /// The user, for messages and later runs.
  let username: String
  /// The request, for messages.
  let request: String
  /// The advice after a refusal.
  let hint: String
  /// The values that no message may repeat.
  let secrets: [String]
  /// The requested scope, which counts unless the response names another one.
  var scope: String?

  /// Reads the response. Throws if it is inconclusive. A response without a token is a refusal, since many services
  /// respond to a wrong password with success.
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
    // Whatever it means, the same password would fail again, and might lock the account.
    case 200...299, 400...499: return refusal(object)
    default: throw fault(.badResponse, "\(place) responded to the login with status \(answer.status)\(said)")
    }
  }

  /// The token with its facts from the document of the response.
  func token(_ text: String, _ document: Object, now: Int) -> Token {
    let moment = fields.expiresAt?.value(in: document)?.secondsSince1970
    var token = Token(
      text, username: username.isEmpty ? IdentityToken.user(document["id_token"]) ?? "" : username,
      lifetime: seconds(fields.expiresIn, document) ?? moment.map { max(1, $0 - now) },
      sliding: seconds(fields.slidingWindow, document), refresh: fields.refreshToken?.value(in: document)?.text,
      now: now)
    token.scope = document["scope"]?.text ?? scope
    return token
  }

  /// The refusal, with the message from the document of the response.
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
      return secrets.contains { text.contains(text: $0) } ? "" : BackendError.quoted(text).map { ": \($0)" } ?? ""
    }
    return ""
  }
}
