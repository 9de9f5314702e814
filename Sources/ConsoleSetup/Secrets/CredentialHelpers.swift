import BackendKit
public import ConsoleSystem
import Synchronization

/// Runs the programs that provide secrets and reads the keyring, and caches what they give in memory until it expires.
public final class CredentialHelpers: Sendable {
  struct Answer: Sendable {
    /// The secret, if the output is only one.
    var text: String?
    var members: [String: String] = [:]
    /// The time at which it expires, in seconds since 1970.
    var expiry: Int?
  }

  private let environment: ChildEnvironment
  private let limit: Duration
  private let keyring: Keyring
  private let keepSecret: @Sendable ([String]) -> Void
  private let now: @Sendable () -> Int
  private let known = Mutex<[HelperCommand: Answer]>([:])

  /// Creates helpers that run programs with this environment and time limit. Their output is passed to the blanking.
  /// Attended, the keyring can be unlocked by a person.
  public init(
    _ environment: ChildEnvironment, _ blanking: Blanking, limit: Duration = .seconds(10), isAttended: Bool = false,
    now: @escaping @Sendable () -> Int
  ) {
    keyring = Keyring(environment, isAttended: isAttended)
    self.environment = environment
    self.limit = limit
    self.now = now
    keepSecret = { blanking.keepSecret($0) }
  }

  /// Returns the output of a program: the cached one until it expires or is refused.
  func answer(_ command: HelperCommand, isRefused: Bool = false) throws(HelperFailure) -> Answer {
    // Concurrent callers share one run.
    try known.withLock { known throws(HelperFailure) in
      if !isRefused, let answer = known[command], answer.expiry.map({ now() < $0 }) ?? true { return answer }
      known[command] = nil
      let answer =
        if let item = command.item { Answer(text: try keyring.secret(of: item)) } else {
          try Self.read(try command.output(environment, limit: limit), now: now())
        }
      keepSecret(answer.members.filter { !["username", "clientID"].contains($0.key) }.map(\.value))
      if let text = answer.text { keepSecret([text]) }
      known[command] = answer
      return answer
    }
  }

  /// Reads an output: its first line, or a JSON object with texts by name and `expires`, a date or a number of seconds.
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
