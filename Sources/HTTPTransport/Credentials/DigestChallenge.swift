import BackendKit

/// A supported challenge of HTTP Digest (RFC 7616): MD5 or SHA-256, with `qop=auth`.
struct DigestChallenge: Sendable, Hashable {
  /// The algorithms, the weakest first.
  enum Algorithm: String, Sendable, Hashable, CaseIterable, Comparable {
    case md5 = "MD5"
    case sha256 = "SHA-256"

    static func < (one: Algorithm, other: Algorithm) -> Bool { one == .md5 && other == .sha256 }

    func hex(_ text: String) -> String {
      self == .md5 ? MD5.hex(Array(text.utf8)) : SHA256.hex(Array(text.utf8))
    }
  }

  let realm: String
  var nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// The algorithm as it is sent back; nil if the challenge names none.
  let algorithmName: String?
  /// True if user and nonce are digested once for all requests: the algorithm ends in `-sess`.
  let isSession: Bool
  /// True if the user name is sent as a digest.
  let hashesUser: Bool
  /// True if the answer to the previous challenge was right, but its nonce too old.
  let isStale: Bool

  /// Takes the strongest supported challenge of a refusal. Throws a single reason if there is none, as nothing else is
  /// sent instead.
  ///
  /// - Parameter weakest: the weakest algorithm that is still accepted.
  init(of answer: HTTPResponse, at place: String, weakest: Algorithm?) throws(BackendError) {
    func refusal(_ reason: String) -> BackendError {
      BackendError(
        .unauthorized, "\(place) \(reason)", effect: .rejected,
        hint: "nothing derived from the password was sent in reply",
        httpStatus: answer.status)
    }
    let all = AuthenticationChallenge.all(
      in: answer.headers.filter { $0.0.lowercased() == "www-authenticate" }.map(\.1))
    let offered = all.filter { $0.scheme.lowercased() == "digest" }
    guard !offered.isEmpty else {
      let others = Set(all.map(\.scheme)).sorted().map { $0.prefix(20) }.joined(separator: " and ")
      throw refusal("does not ask for HTTP Digest\(others.isEmpty ? "" : ", but for \(others)")")
    }
    let known = offered.compactMap { DigestChallenge($0) }
    guard let best = known.max(by: { $0.algorithm < $1.algorithm }) else {
      let names = offered.compactMap { $0.parameters?["algorithm"] }.map { String($0.prefix(20)) }
      let isUnknown = !offered.contains { $0.isKnown }
      throw refusal(
        isUnknown
          ? "asks for HTTP Digest with \(names.joined(separator: " or ")), but only MD5 and SHA-256 are supported"
          : "asks for HTTP Digest without qop=auth, or in an unreadable form")
    }
    if let weakest, best.algorithm < weakest {
      throw refusal(
        "now asks for HTTP Digest with \(best.algorithm.rawValue); earlier it asked for \(weakest.rawValue)")
    }
    self = best
  }

  private init?(_ challenge: AuthenticationChallenge) {
    guard let parameters = challenge.parameters, let realm = parameters["realm"], let nonce = parameters["nonce"],
      let (algorithm, isSession) = challenge.algorithm,
      parameters["qop"]?.split(whereSeparator: { $0 == "," || $0 == " " }).contains(where: { $0.lowercased() == "auth" }
      )
        == true
    else { return nil }
    (self.realm, self.nonce, self.algorithm, self.isSession) = (realm, nonce, algorithm, isSession)
    algorithmName = parameters["algorithm"].map { _ in algorithm.rawValue + (isSession ? "-sess" : "") }
    opaque = parameters["opaque"]
    hashesUser = parameters["userhash"]?.lowercased() == "true"
    isStale = parameters["stale"]?.lowercased() == "true"
  }
}

extension AuthenticationChallenge {
  fileprivate var isKnown: Bool { algorithm != nil }

  fileprivate var algorithm: (DigestChallenge.Algorithm, isSession: Bool)? {
    let name = parameters?["algorithm"]?.uppercased() ?? "MD5"
    let isSession = name.hasSuffix("-SESS")
    return DigestChallenge.Algorithm(rawValue: isSession ? String(name.dropLast(5)) : name).map { ($0, isSession) }
  }
}
