import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

/// The words after `mcp`: which backends an assistant may read, and how much of them with each call.
public struct AssistantOptions: Sendable, Hashable {
  /// The word of the command line that opens the door.
  static let word = "mcp"

  /// The backends, in the order given.
  var backends: [String]
  /// True if production backends may be named.
  var permitsProduction: Bool
  /// True if one call may read several backends.
  var joins: Bool
  /// True if the assistant may propose plans.
  var plans: Bool
  /// The maximum number of requests per call.
  var requests: Int
  /// The maximum time of a call.
  var time: Duration

  static let syntax = [
    OptionSyntax("backend", value: .backend, help: "a backend that may be read", isRepeatable: true),
    OptionSyntax("production", help: "permit backends with the label production"),
    OptionSyntax("join", help: "permit calls that read several backends"),
    OptionSyntax("plans", help: "let the assistant propose writes, as plans that you apply or refuse"),
    OptionSyntax("max-requests", value: .count(from: 1), help: "maximum requests per call (default: 20)"),
    OptionSyntax("timeout", value: .free("TIME"), help: "end a call after this time (default: 30s)"),
  ]

  private static let ofScripts = [
    "check", "dry-run", "on-error", "stream", "allow-shell", "allow-env", "report", "summary", "errors",
  ]

  /// Reads the words after `mcp`; `outer` has the options before it.
  init(_ words: some Sequence<Word>, beside outer: Invocation) throws(UsageError) {
    if let option = Self.ofScripts.first(where: outer.has) {
      throw UsageError("--\(option) is for scripts, and mcp runs none")
    }
    let invocation = try Invocation(CommandReading(Array(words)[...], [], Self.syntax, help: "help mcp"))
    if let word = invocation.words.first {
      throw UsageError("unexpected word \"\(word.text)\"", hint: "switchboard mcp --backend NAME")
    }
    backends = invocation.values(of: "backend")
    guard !backends.isEmpty else {
      throw UsageError("mcp needs --backend NAME", hint: "an assistant reads only backends that are named")
    }
    if Set(backends).count < backends.count { throw UsageError("--backend names a backend twice") }
    permitsProduction = invocation.has("production")
    joins = invocation.has("join")
    plans = invocation.has("plans")
    requests = try invocation.count(of: "max-requests") ?? 20
    time = .milliseconds(try invocation.span(of: "timeout")?.milliseconds ?? 30_000)
  }
}

extension AssistantOptions {
  /// The configuration with the named backends only, without the settings of its user.
  func limited(_ configuration: Configuration) throws(ConsoleError) -> Configuration {
    var limited = configuration
    limited.defaultBackend = nil
    limited.settings = Object()
    limited.queries = [:]
    limited.backends = []
    for name in backends {
      guard var backend = configuration.backends.first(where: { $0.name == name }) else {
        throw .usage("--backend: unknown backend \"\(name)\"")
      }
      guard backend.isTrusted else { throw .usage("--backend: \(backend.file), which has \(name), is not trusted") }
      guard permitsProduction || !backend.isProduction else {
        throw .usage("--backend: \(name) is a production backend (--production permits it)")
      }
      // A backend alone is all of its resources.
      backend.resource = nil
      limited.backends.append(backend)
    }
    return limited
  }
}
