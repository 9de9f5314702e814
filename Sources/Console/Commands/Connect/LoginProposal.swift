import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import Synchronization

/// Takes a login that the document of a service describes, after a question that names each server which would get
/// credentials: the document is untrusted.
struct LoginProposal: CommandPart {
  /// The logins that the survey has read.
  final class Found: Sendable {
    private let logins = Mutex<[DocumentedLogin]>([])

    func take(_ logins: [DocumentedLogin]) { self.logins.withLock { $0 = logins } }
    var all: [DocumentedLogin] { logins.withLock(\.self) }
  }

  let context: CommandContext
  let found = Found()

  /// Takes a login for a new backend, and returns whether there is one that the operator agrees to: one that sends the
  /// given credentials otherwise. Without any it is one for the command `login`; others would stop what works without.
  func take(for backend: inout NewBackend, _ invocation: Invocation) async -> Bool {
    let origin = backend.origin
    let logins = found.all.map { $0.at(origin) }
    let usable = backend.hasCredentials ? backend.other(of: logins) : logins.first { $0.scheme.isForLogin }
    guard let login = usable, await isAccepted(login, for: backend, invocation) else { return false }
    backend.use(login)
    return true
  }

  private func isAccepted(
    _ login: DocumentedLogin, for backend: NewBackend, _ invocation: Invocation
  ) async -> Bool {
    let scheme = login.scheme
    let credentials = scheme.needs.map(\.words).joined(separator: " and ")
    let other = login.tokenServer.flatMap { backend.origin.isOwn($0) ? nil : $0 }
    let receivers =
      "\(credentials) to \(other ?? backend.origin)" + (other == nil ? "" : ", the token to \(backend.origin)")
    let isPrivate = other?.isPrivate ?? true && (backend.origin.isPrivate || invocation.has("allow-plain"))
    guard isPrivate else {
      note("the login in the document is left out, as it would send \(receivers), unencrypted")
      return false
    }
    if other == nil, invocation.has("yes") {
      tell("login of the document, \(scheme.summary): sends \(receivers)")
      return true
    }
    if let answer = await Questions(context).isYes(
      "The document describes a login, \(scheme.summary). Send \(receivers)?")
    {
      return answer
    }
    let remedy =
      other == nil ? "--yes agrees" : "answer the question at a terminal, or write `login` into the configuration"
    note("the login in the document is left out, as it would send \(receivers): \(remedy)")
    return false
  }
}

extension LoginScheme {
  /// True if it has no effect before `login` is given.
  fileprivate var isForLogin: Bool { reasonAgainstLogin == nil }
}
