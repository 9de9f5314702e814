public import BackendKit
public import ConsoleSystem
import Synchronization

/// Asks the programs that provide secrets, and keeps in memory what they gave until it expires.
public final class CredentialHelpers: Sendable {
  /// The output of a program.
  struct Answer: Sendable {
    /// The secret, where it gave one and no more.
    var text: String?
    /// Its named values.
    var members: [String: String] = [:]
    /// The time at which it expires, in seconds since 1970.
    var expiry: Int?
  }

  private let environment: ChildEnvironment
  private let limit: Duration
  private let keepSecret: @Sendable ([String]) -> Void
  private let now: @Sendable () -> Int
  private let known = Mutex<[HelperCommand: Answer]>([:])

  /// Creates helpers that run programs with this environment and time. Their output is passed to the blanking.
  public init(
    _ environment: ChildEnvironment, _ blanking: Blanking, limit: Duration = .seconds(10),
    now: @escaping @Sendable () -> Int
  ) {
    self.environment = environment
    self.limit = limit
    self.now = now
    keepSecret = { blanking.keepSecret($0) }
  }

  /// Returns the output of a program: the previous one until it expires or is refused.
  func answer(_ command: HelperCommand, isRefused: Bool = false) throws(HelperFailure) -> Answer {
    // One run for all that wait for it.
    try known.withLock { known throws(HelperFailure) in
      if !isRefused, let answer = known[command], answer.expiry.map({ now() < $0 }) ?? true { return answer }
      known[command] = nil
      let answer = try Self.read(try command.output(environment, limit: limit), now: now())
      keepSecret(answer.members.filter { !["username", "clientID"].contains($0.key) }.map(\.value))
      if let text = answer.text { keepSecret([text]) }
      known[command] = answer
      return answer
    }
  }

  /// Reads an output: its first line, or an object of JSON with texts by name and `expires`, a date or a number of seconds.
  static func read(_ bytes: [UInt8], now: Int) throws(HelperFailure) -> Answer {
    let text = String(validating: bytes, as: UTF8.self)
    guard let text else { throw HelperFailure(clause: "returned output that is not valid UTF-8") }
    guard text.first(where: { !$0.isWhitespace }) == "{" else {
      guard let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first, !line.isEmpty
      else { throw HelperFailure(clause: "returned nothing") }
      return Answer(text: String(line))
    }
    guard let object = (try? JSONReader.read(bytes))?.object else {
      throw HelperFailure(clause: "returned output that begins with { but is not valid JSON")
    }
    var answer = Answer()
    for (name, value) in object.members where name != "expires" { answer.members[name] = value.text }
    switch object["expires"] {
    case nil, .null?: break
    case .number(let number)?:
      guard number.double >= 0, number.double <= 1e9 else { throw Self.expiryFailure }
      answer.expiry = now + Int(number.double)
    case let value?:
      guard let moment = value.secondsSince1970 else { throw Self.expiryFailure }
      answer.expiry = moment
    }
    return answer
  }

  private static let expiryFailure = HelperFailure(
    clause: "returned an \"expires\" that is neither an ISO 8601 date and time nor a number of seconds")
}

extension CredentialHelpers.Answer {
  /// Returns the value for a part of the credentials; nil if there is none.
  ///
  /// - Parameter isAlone: true if the program was configured only for this part.
  func value(of part: LoginScheme.Credential, isAlone: Bool) -> String? {
    let value = members[part.rawValue] ?? (isAlone ? members["secret"] : nil)
    return value ?? (isAlone || part == .token || part == .key ? text : nil)
  }
}

extension BackendConfiguration {
  /// The credentials that a login wants, as far as they are given, and when they expire. Throws where one cannot be read.
  ///
  /// - Parameter isRefused: whether the server has refused those that were given before.
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
      throw Self.error(command, HelperFailure(clause: "gave no \"\(part.rawValue)\""), place)
    }
    return (values, expiry)
  }

  /// The header fields with their values, those included that programs give.
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
        throw Self.error(command, HelperFailure(clause: "gave no value for a header field"), place)
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
      throw Self.error(command, error, place)
    }
  }

  private static func error(
    _ command: HelperCommand, _ failure: HelperFailure, _ place: ConfigurationPlace
  ) -> BackendError {
    let error = ConfigurationError(place, "the program \(command.program) \(failure.clause)")
    return BackendError(failure.isInterrupted ? .cancelled : .misconfigured, error.description, effect: .notSent)
  }
}
