import BackendKit
import Synchronization

/// The state of HTTP Digest with a server: its last challenge, and the number of answers to it.
final class DigestMemory: Sendable {
  private struct State {
    var challenge: DigestChallenge?
    var clientNonce = ""
    var count: UInt32 = 0
    /// The strongest algorithm that the server has used so far.
    var strongest: DigestChallenge.Algorithm?

    mutating func begin(_ challenge: DigestChallenge) {
      strongest = max(strongest ?? challenge.algorithm, challenge.algorithm)
      self.challenge = challenge
      clientNonce =
        String(hex: UInt64.random(in: 0 ... .max), digits: 16) + String(hex: UInt64.random(in: 0 ... .max), digits: 16)
      count = 0
    }
  }

  private let state = Mutex(State())

  /// The current nonce; nil before the first challenge.
  var nonce: String? { state.withLock(\.challenge?.nonce) }

  /// Returns the text after `Digest` for one attempt of a request, different for each attempt; nil before the first
  /// challenge.
  ///
  /// - Parameter credentials: user name and password joined by a colon.
  func answer(_ method: String, _ target: String, _ credentials: String) -> String? {
    let (challenge, clientNonce, count) = state.withLock { state in
      if state.challenge != nil { state.count &+= 1 }
      return (state.challenge, state.clientNonce, state.count)
    }
    guard let challenge else { return nil }
    let name = credentials.prefix { $0 != ":" }
    return DigestAnswer(
      challenge: challenge, username: String(name), password: String(credentials.dropFirst(name.count + 1)),
      clientNonce: clientNonce, count: count
    ).text(method, target)
  }

  /// Takes the challenge of a refusal. Returns false if the refusal rejects the password; throws if the challenge
  /// cannot be answered.
  ///
  /// - Parameters:
  ///   - nonce: what the request that was refused has answered; nil for nothing.
  func take(_ answer: HTTPResponse, for nonce: String?, at place: String) throws(BackendError) -> Bool {
    let challenge: DigestChallenge
    do {
      challenge = try DigestChallenge(of: answer, at: place, weakest: state.withLock(\.strongest))
    } catch {
      // A refusal of an answer need not contain a challenge.
      if nonce != nil, answer.header("WWW-Authenticate") == nil { return false }
      throw error
    }
    guard nonce == nil || challenge.isStale else { return false }
    state.withLock { $0.begin(challenge) }
    return true
  }

  /// Takes the nonce for the next request from a response.
  func takeNext(_ answer: HTTPResponse) {
    guard let field = answer.header("Authentication-Info"),
      let next = AuthenticationChallenge.parameters(of: field)["nextnonce"], !next.isEmpty
    else { return }
    state.withLock { state in
      guard var challenge = state.challenge, challenge.nonce != next else { return }
      challenge.nonce = next
      state.begin(challenge)
    }
  }
}
