import BackendKit
import BackendTransport
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// A login in the browser: tells the person at the terminal what to do, and waits until it is done.
struct BrowserDialog: CommandPart {
  let context: CommandContext

  func logIn(to backend: OpenBackend, _ invocation: Invocation) async throws {
    let name = backend.configuration.name
    if let word = invocation.word(.free("USER")) {
      throw UsageError("\(name) logs in in the browser, without a user name", column: word.column)
    }
    if invocation.has("password-file") { throw UsageError("\(name) logs in in the browser, without a password") }
    guard Questions(context).canLogIn else {
      throw UsageError(
        "\(name) logs in in the browser, which a script cannot do",
        hint: "type at a terminal: switchboard login \(name)")
    }
    try run.endRehearsal()
    let (steps, sink) = AsyncStream.makeStream(of: SignIn.Step.self)
    let order = SignIn(isForSession: invocation.has("session-only"), prefersDevice: opener == nil) { sink.yield($0) }
    async let ending: Void = {
      defer { sink.finish() }
      try await backend.naming("login") { connection throws(BackendError) in
        _ = try await connection.perform(.signIn(order))
      }
    }()
    for await step in steps { show(step) }
    try await ending
    let login = backend.connection.activeLogin
    try LoginReport(context).tell(backend, login.flatMap { $0.user.isEmpty ? nil : $0.user }, invocation)
    if case .oauth2(let oauth2) = backend.login?.kind, let difference = login?.difference(from: oauth2.scope) {
      note(difference)
    }
  }

  private func show(_ step: SignIn.Step) {
    reporter.progress?.end()
    switch step {
    case .browser(let address, let port):
      if let opener, let link = try? LinkAddress(address), opener.open(link, run.interruption) {
        tell("the browser is opening; if it does not, open this address in it:")
      } else {
        tell("a browser on another machine first needs: ssh -L \(port):127.0.0.1:\(port) HOST")
        tell("open this address in a browser on this machine:")
      }
      tell(address)
      tell("waiting for the browser, at most 5 minutes; Ctrl-C cancels")
    case .device(let address, let code, let direct, let lifetime):
      tell("open this address on any device, and type the code \(code):")
      tell(address)
      if let direct { tell("or this one, which contains the code: \(direct)") }
      tell("waiting for the login, at most \(counted((lifetime + 59) / 60, "minute")); Ctrl-C cancels")
    }
    reporter.errors.flush()
  }

  /// The program that opens the browser on the screen of the person; nil if there is none, as over ssh.
  private var opener: LinkOpener? {
    let environment = run.console.environment
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let hasScreen = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY")
    guard isSet("BROWSER") || hasScreen && !isSet("SSH_CONNECTION"),
      let opener = LinkOpener(environment: run.console.children), !opener.isInTerminal
    else { return nil }
    return opener
  }
}

extension ActiveLogin {
  /// The difference between the requested scope and that of the login, as a sentence; nil if there is none.
  fileprivate func difference(from requested: String?) -> String? {
    guard let requested, let scope else { return nil }
    // Some services write commas.
    let (wanted, given) = (requested.split { " ,".contains($0) }, scope.split { " ,".contains($0) })
    let missing = wanted.filter { !given.contains($0) }.joined(separator: " ")
    let more = given.filter { !wanted.contains($0) }.joined(separator: " ")
    let clauses = [missing.isEmpty ? nil : "without \(missing)", more.isEmpty ? nil : "with \(more) in addition"]
    let all = clauses.compactMap(\.self).joined(separator: ", and ")
    return all.isEmpty ? nil : "the service gave another scope than requested: \(all)"
  }
}
