import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let login = Command(
    "login", .connect, "Log in to a backend: with a password, in the browser, or with a new token",
    arguments: [.optional(.backend), .optional(.free("USER"))],
    effects: [.changesLogin, .changesConfiguration, .runsPrograms, .takesSecret],
    options: [
      OptionSyntax("password-file", value: .file(.read), help: "file with the password on its first line"),
      OptionSyntax("session-only", help: "forget the login at the end of this run"),
    ] + SharedOptions.format,
    details: [
      "The password comes from --password-file or SWITCHBOARD_PASSWORD; otherwise login prompts for it at a terminal.",
      "If the backend logs in with OAuth 2 in the browser, login takes no USER: it opens the browser, or shows a code for another device.",
      "Later runs use the login until it expires or logout deletes it, unless --session-only is given.",
      "USER is by default the one in the configuration. If a token, a key or a password is sent with every request, login takes",
      "another one for this session. It is kept in the keyring if the configuration names an item of it; at a terminal, login",
      "offers that otherwise.",
    ],
    examples: [Example(line: "login baasic ana --password-file secret.txt", says: "logs in as ana")]
  ) { invocation, context in
    let (backend, words) = try await Subject(context).backend(of: invocation)
    guard backend.configuration.isTrusted else {
      throw ConfigurationError.untrusted(backend.configuration.place(), "a login")
    }
    if let login = backend.login, login.isByPerson {
      return try await BrowserDialog(context).logIn(to: backend, words)
    }
    guard backend.login != nil else {
      throw UsageError(
        "\(backend.configuration.name) has no login",
        hint: "write \"login\" into its configuration: backends edit \(backend.configuration.name)")
    }
    let typed = backend.login.map(\.typed) ?? .password
    try await backend.naming("login") { _ throws(BackendError) in
      if typed == nil, let reason = backend.login?.reasonAgainstLogin { throw .unsupported(reason) }
    }
    let part = typed ?? .password
    let named = words.word(.free("USER"))
    if part != .password, let named {
      throw UsageError("this backend takes a \(part.words), and no user name", column: named.column)
    }
    let configured = backend.configuration.name(in: .username)
    var user = named?.text ?? configured
    if part == .password, user == nil { user = try words.one(.free("USER")).text }
    let password: String
    var isTyped = false
    if let file = invocation.value(of: "password-file") {
      password = try PasswordFile.read(file)
    } else if let text = context.run.console.environment["SWITCHBOARD_PASSWORD"] {
      password = text
    } else if Environment.isUnreadable("SWITCHBOARD_PASSWORD") {
      throw UsageError("the environment variable SWITCHBOARD_PASSWORD is not valid UTF-8")
    } else if let text = try Questions(context).askSecret(part, of: user, for: backend.configuration.name) {
      (password, isTyped) = (text, true)
    } else {
      throw UsageError(
        "login needs a \(part.words)", hint: "--password-file FILE, or the variable SWITCHBOARD_PASSWORD")
    }
    context.reporter.blanking.keepSecret([password])
    // A service may lock an account after wrong passwords, and an empty one is always a mistake.
    guard !password.isEmpty else { throw UsageError("the \(part.words) is empty") }
    try await backend.naming("login") { connection throws(BackendError) in
      _ = try await connection.perform(
        .login(user: user ?? "", password: password, isForSession: invocation.has("session-only")))
    }
    try LoginReport(context).tell(backend, user, invocation)
    // The password of another user is not that of the configuration.
    if !invocation.has("session-only"), user == configured, context.run.console.trace != nil {
      await KeyringOffer(context).keep(password, as: part, of: backend, asks: isTyped)
    }
  }

  static let logout = Command(
    "logout", .connect, "Log out of a backend, and remove its secret from the keyring",
    arguments: [.optional(.backend)], effects: [.changesLogin, .runsPrograms],
    options: SharedOptions.format
  ) { invocation, context in
    let backend = try await Subject(context).backend(of: invocation).0
    let item = backend.login?.typed.flatMap(backend.configuration.keyringItem)
    try await backend.naming("logout") { connection throws(BackendError) in
      if item == nil, backend.login?.sentAlways != nil, let reason = backend.login?.reasonAgainstLogin {
        throw .unsupported(reason)
      }
      _ = try await connection.perform(.logout)
    }
    if let item, context.run.console.trace != nil { try KeyringOffer(context).remove(item) }
    backend.client.forgetDescriptions()
    try FactOutput(context).present(
      Object(facts: [("action", "logged out"), ("backend", backend.configuration.name)]), invocation,
      text: "logged out of \(backend.configuration.name)\n")
    context.change(.login(backend.configuration.name, user: nil))
  }

  static let whoami = Command(
    "whoami", .connect, "Show who is logged in to a backend", arguments: [.optional(.backend)],
    effects: .readsRecords,
    options: SharedOptions.output
  ) { invocation, context in
    let backend = try await Subject(context).backend(of: invocation).0
    let identity = try await backend.naming("whoami") { connection throws(BackendError) in
      try await connection.perform(.identity)
    }
    let output = try RecordOutput(invocation, context, default: .expanded)
    let shape = ResourceDescription(
      name: "identity", identifier: IdentifierRule(field: nil, form: .text), source: .unknown,
      capabilities: Capabilities(operations: []))
    output.print(Record(id: nil, fields: identity), shape, context)
  }
}

/// The report of a login, and what it changes in the session.
struct LoginReport: CommandPart {
  let context: CommandContext

  func tell(_ backend: OpenBackend, _ user: String?, _ invocation: Invocation) throws {
    // Another user may see other resources.
    backend.client.forgetDescriptions()
    let login = backend.connection.activeLogin
    let name = backend.configuration.name
    try FactOutput(context).present(
      Object(facts: [
        ("action", "logged in"), ("backend", name), ("user", user), ("seconds", login?.lifetime),
        ("file", login?.file), ("scope", login?.scope),
      ]), invocation, text: "logged in to \(name)\(user.map { " as \($0)" } ?? "")\n")
    if run.isInteractive, let login { note(login.extent) }
    change(.login(name, user: user))
  }
}

extension ActiveLogin {
  /// The lifetime of the login and its storage, as a sentence.
  fileprivate var extent: String {
    let time = lifetime.map { seconds in
      seconds < 120
        ? "\(seconds) seconds" : seconds < 7200 ? "\((seconds + 30) / 60) minutes" : "\((seconds + 1800) / 3600) hours"
    }
    let end = time.map { isSliding ? "\($0) after the last request" : "in \($0)" }
    return (end.map { "the login expires \($0)" } ?? "the service does not report when the login expires") + "; "
      + (file.map { "later runs use it too: it is stored in \($0) until logout" } ?? "it is stored for this run only")
  }
}
