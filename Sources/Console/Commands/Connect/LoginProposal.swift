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
    let logins = found.all.map { $0.at(backend.origin) }
    let usable = backend.hasCredentials ? backend.others(of: logins) : logins.filter(\.scheme.isForLogin)
    guard let login = await chosen(of: usable, for: backend, invocation),
      await isAccepted(login, for: backend, invocation)
    else { return false }
    backend.use(login)
    return true
  }

  /// Asks which of the logins to use with which variables, at a terminal; returns whether there is one then.
  func ask(for backend: inout NewBackend, _ invocation: Invocation) async -> Bool {
    let logins = found.all.map { $0.at(backend.origin) }
    guard Questions(context).canAsk, let login = await chosen(of: logins, for: backend, invocation),
      await isAccepted(login, for: backend, invocation)
    else { return false }
    var texts: [String] = []
    for part in login.scheme.needs {
      let isName = part == .username || part == .clientID
      let question: EscapedText = isName ? "The \(part.words): " : "The environment variable with the \(part.words): "
      guard let text = await Questions(context).answer(to: question), !text.isEmpty else { return false }
      texts.append(text)
    }
    backend.use(login, texts)
    return true
  }

  /// The login that the operator chooses. With `--yes` it is the first that no other server has a part in.
  private func chosen(
    of logins: [DocumentedLogin], for backend: NewBackend, _ invocation: Invocation
  ) async -> DocumentedLogin? {
    if logins.count < 2 { return logins.first }
    if invocation.has("yes") { return logins.first { $0.tokenServer.map(backend.origin.isOwn) ?? true } ?? logins[0] }
    guard Questions(context).canAsk else { return logins[0] }
    for (number, login) in zip(1..., logins) { tell("\(number): \(JSONWriter.compact(.object(login.written)))") }
    let answer = await Questions(context).answer(to: "The document describes these logins. Which one? [1] ")
    let number = answer == "" ? 1 : answer.flatMap { Int($0) } ?? 0
    return logins.indices.contains(number - 1) ? logins[number - 1] : nil
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
