import BackendKit

/// What a server said to a login.
struct LoginAnswer {
  /// What came of it.
  enum Outcome {
    case token(Token)
    case refused(BackendError)
  }

  let scheme: LoginScheme
  let place: String

  /// Reads the answer. Throws where it says neither yes nor no.
  func outcome(
    _ answer: HTTPAnswer, username: String, password: String, now: Int
  ) async throws(BackendError) -> Outcome {
    let bytes = try await answer.body.collect(limit: 1 << 20)
    let object = (try? JSONReader.read(bytes))?.object ?? Object()
    let said = message(object, without: password)
    switch answer.status {
    case 200...299 where isAbsent(object["error"]):
      guard let text = object[scheme.tokenField]?.text, !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { throw fault(.badResponse, "\(place) took the login but gave no token") }
      return .token(
        Token(
          text, username: username, lifetime: seconds(object[scheme.expiryField]),
          sliding: seconds(object[scheme.slidingField]), now: now))
    case 200...299, 400, 401, 403:
      return .refused(fault(.unauthorized, "\(place) refuses the login of \(username)\(said)"))
    case 404: throw fault(.misconfigured, "\(place) has no login at /\(scheme.login.path)")
    case 429: throw fault(.rateLimited, "\(place) takes no more logins now\(said)")
    case 500...: throw fault(.unavailable, "\(place) cannot log in now: status \(answer.status)\(said)")
    default: throw fault(.badResponse, "\(place) answers a login with status \(answer.status)\(said)")
    }
  }

  private func fault(_ code: BackendError.Code, _ message: String) -> BackendError {
    BackendError(code, message, effect: .rejected, hint: code == .unauthorized ? "check user name and password" : nil)
  }

  private func isAbsent(_ value: Value?) -> Bool { value == nil || value == .null || value == .string("") }

  private func seconds(_ value: Value?) -> Int? {
    let number = value?.integer ?? value?.text.flatMap { Int($0) }
    return number.flatMap { (1...1_000_000_000).contains($0) ? $0 : nil }
  }

  /// What the server says for people, unless it repeats the password.
  private func message(_ object: Object, without password: String) -> String {
    for name in ["message", "error_description", "error"] {
      guard let text = object[name]?.text, !text.isEmpty else { continue }
      return text.contains(password) ? "" : ": \(text.prefix(200))"
    }
    return ""
  }
}
