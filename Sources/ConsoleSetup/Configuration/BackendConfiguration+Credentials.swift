public import BackendKit
import ConsoleSystem

extension BackendConfiguration {
  /// The given credentials among those that a login needs, and their expiry. Throws if one cannot be read.
  ///
  /// - Parameter isRefused: whether the server has refused the previous ones.
  public func credentials(
    _ wanted: [LoginScheme.Credential], isRefused: Bool, helpers: CredentialHelpers
  ) throws(BackendError) -> (values: [LoginScheme.Credential: String], expiry: Int?) {
    try checkUse()
    var values: [LoginScheme.Credential: String] = [:]
    var expiry: Int?
    var asked: Set<HelperCommand> = []
    for part in wanted {
      guard let secret = credentials?[part] else { continue }
      let isAlone = credentials?.all == nil
      let place = isAlone ? place("credentials", part.rawValue) : place("credentials")
      guard case .command(let command) = secret else {
        values[part] = try resolve(secret, at: place)
        continue
      }
      let answer = try answer(of: command, at: place, helpers, isRefused && asked.insert(command).inserted)
      expiry = [expiry, answer.expiry].compactMap(\.self).min()
      values[part] = answer.value(of: part, isAlone: isAlone)
      guard values[part] == nil, isAlone || part != .clientSecret && part != .clientID else { continue }
      throw error(command, HelperFailure(clause: "gave no \"\(part.rawValue)\""), place)
    }
    return (values, expiry)
  }

  /// The user name or client ID in the configuration; nil if it has none, or leaves it to a program.
  public func name(in part: LoginScheme.Credential) -> String? {
    try? credentials?[part]?.resolve(environment: environment, place: place("credentials", part.rawValue))
  }

  /// The item of the keyring that keeps a part; nil if it is kept elsewhere.
  package func keyringItem(of part: LoginScheme.Credential) -> KeyringItem? {
    if case .command(let command)? = credentials?[part] { command.item } else { nil }
  }

  /// The source of a secret part, in words; nil if none is named for it.
  package func source(of part: LoginScheme.Credential) -> String? {
    guard credentials?.named.contains(part) == true else { return nil }
    return credentials?[part]?.description
  }

  /// The header fields with their values, including those from programs.
  public func headers(helpers: CredentialHelpers) throws(BackendError) -> [(String, String)] {
    try checkUse()
    return try headers.map { name, secret throws(BackendError) in
      let place = place("headers", name)
      guard case .command(let command) = secret else {
        let value = try resolve(secret, at: place)
        if Self.isFieldValue(value) { return (name, value) }
        let error = ConfigurationError(
          place, "the value contains control characters, which are not allowed in a header")
        throw BackendError(.misconfigured, error.description, effect: .notSent)
      }
      let answer = try answer(of: command, at: place, helpers, false)
      guard let text = answer.text ?? answer.members["secret"], Self.isFieldValue(text) else {
        throw error(command, HelperFailure(clause: "gave no value for a header field"), place)
      }
      return (name, text)
    }
  }

  private static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  private func checkUse() throws(BackendError) {
    do { try checkUsable() } catch { throw BackendError(.misconfigured, error.description, effect: .notSent) }
  }

  /// True if a program provides the value of a header field.
  public var asksHelperForHeaders: Bool {
    headers.contains { if case .command = $0.value { true } else { false } }
  }

  private func resolve(_ secret: Secret, at place: ConfigurationPlace) throws(BackendError) -> String {
    do { return try secret.resolve(environment: environment, place: place) } catch {
      throw BackendError(.misconfigured, error.description, effect: .notSent)
    }
  }

  private func answer(
    of command: HelperCommand, at place: ConfigurationPlace, _ helpers: CredentialHelpers, _ isRefused: Bool
  ) throws(BackendError) -> CredentialHelpers.Answer {
    do { return try helpers.answer(command, isRefused: isRefused) } catch {
      throw self.error(command, error, place)
    }
  }

  private func error(
    _ command: HelperCommand, _ failure: HelperFailure, _ place: ConfigurationPlace
  ) -> BackendError {
    let isLogins = failure.isAbsent && place.path.hasPrefix("backends.\(name).credentials")
    let hint = isLogins ? "login \(name) keeps one there" : failure.hint
    let error = ConfigurationError(place, "\(command.source) \(failure.clause)", hint: hint)
    return BackendError(failure.isInterrupted ? .cancelled : .misconfigured, error.description, effect: .notSent)
  }
}
