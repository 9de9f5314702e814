import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Carries out the calls of tools, one at a time, as commands of a session with captured output.
final class AssistantCall {
  /// The maximum output of a command in bytes; a list goes on from there.
  private static let mostOutput = 4 << 20

  private static let mostNotes = 20

  let session: Session
  let limits: CallLimits
  private var pages = AssistantPages()
  /// The notes of the call's command.
  private var notes: [Value] = []
  private var total: Int?
  private var isLogged = false

  init(_ session: Session, _ limits: CallLimits) { (self.session, self.limits) = (session, limits) }

  /// The result of a call: the same object as text and as structure.
  func result(of call: AssistantReader.Call, _ arguments: Value?) async -> [(String, Value)] {
    let tool = call.tool
    var isError = false
    var content: Object
    (notes, total, isLogged) = ([], nil, false)
    limits.begin()
    do {
      content = try await perform(call, try AssistantArguments(arguments, of: tool))
    } catch {
      isError = true
      if !isLogged { await log(tool.name, CommandFailure(any: error)) }
      content = Object([("error", .string(sentence(error)))])
    }
    if !notes.isEmpty { content["notes"] = .array(Array(notes.prefix(Self.mostNotes))) }
    let text = EscapedText(json: .object(content)).text
    return [
      ("content", [["type": "text", "text": .string(text)]]), ("structuredContent", .object(content)),
      ("isError", .bool(isError)),
    ]
  }

  private func sentence(_ error: any Error) -> String {
    if limits.isLate {
      let hint = "ask for less: conditions, fewer records; switchboard mcp --timeout permits more"
      return "the call took longer than \(limits.time) (\(hint))"
    }
    let sentence = CommandFailure(any: error).sentence
    return EscapedText(session.context.blanking.text(sentence)).text
  }

  private func perform(_ call: AssistantReader.Call, _ arguments: AssistantArguments) async throws -> Object {
    if let cursor = arguments.text("cursor") {
      guard let rest = pages.rest(cursor) else {
        throw UsageError("unknown cursor \"\(cursor.prefix(40))\"", hint: "only the latest are kept; begin again")
      }
      return try await next(rest)
    }
    switch call.tool.name {
    case "plan": return try await propose(arguments, by: call.client)
    case "plans":
      await log("plans")
      return try AssistantPlans(session: session).outcomes(only: arguments.number("plan"))
    case "backends": return await backends()
    case "describe":
      let word = arguments.text("word").map { ["~\($0)"] } ?? []
      return try await describe(["describe", try target(arguments), "-o", "json"] + word)
    case "list":
      let limit = arguments.number("limit") ?? 50
      guard (1...200).contains(limit) else { throw UsageError("limit is a number from 1 to 200") }
      let options = ["where", "sort", "fields"].compactMap { name in arguments.text(name).map { "--\(name)=\($0)" } }
      return try await list(["list", try target(arguments), "-o", "ndjson", "--per-page=\(limit)"] + options)
    case "get":
      let fields = arguments.text("fields").map { ["--fields=\($0)"] } ?? []
      let words = ["get", try target(arguments), "-o", "ndjson"] + fields + ["--"] + arguments.texts("ids")
      return try await rows(words)
    default:
      guard let statement = arguments.text("statement") else { throw UsageError("sql needs statement or cursor") }
      return try await rows(["sql", "-o", "ndjson", "--", statement])
    }
  }

  /// The target of a call, which begins with a backend that was named for assistants.
  private func target(_ arguments: AssistantArguments) throws(UsageError) -> String {
    guard let target = arguments.text("target") else { throw UsageError("the call needs target or cursor") }
    let names = session.targets.configuration.backends.map(\.name)
    let name = String(target.prefix { $0 != "/" })
    guard names.contains(name) else {
      throw UsageError("unknown backend \"\(name.prefix(80))\"", hint: "backends: \(names.joined(separator: ", "))")
    }
    return target
  }

  // MARK: The tools

  private func backends() async -> Object {
    await log("backends")
    let backends = session.targets.configuration.backends.map { backend -> Value in
      var object = Object([("name", .string(backend.name)), ("plugin", .string(backend.plugin))])
      if let label = backend.label { object["label"] = .string(label) }
      return .object(object)
    }
    return Object([("backends", .array(backends))])
  }

  private func describe(_ words: [String]) async throws -> Object {
    let value = try JSONReader.read(try await run(words))
    var facts = Object([("resources", value)])
    if case .object(let object) = value { facts = object }
    facts["address"] = nil
    // The longest list is cut; a word finds the rest.
    while JSONWriter.compact(.object(facts)).utf8.count > AssistantPages.size {
      let lists = facts.members.compactMap { name, value in value.array.map { (name, $0) } }
      guard let longest = lists.max(by: { $0.1.count < $1.1.count }), longest.1.count > 1 else { break }
      let kept = longest.1.count / 2
      facts[longest.0] = .array(Array(longest.1.prefix(kept)))
      facts["left"] = .int((facts["left"]?.integer ?? 0) + longest.1.count - kept)
    }
    return facts
  }

  /// Runs `list`, or `next` after a page.
  private func list(_ words: [String], after page: ListState? = nil) async throws -> Object {
    session.state.lastList = page
    let text = try await run(words)
    var rest = AssistantPages.Rest(lines: Self.lines(text), list: nil, after: 0)
    if let list = session.state.lastList, list.shown.next != nil {
      rest.after = total.map { max(0, $0 - (list.shown.first - 1) - rest.lines.count) }
      rest.list = list
    }
    return pages.answer(rest)
  }

  private func rows(_ words: [String]) async throws -> Object {
    let text = try await run(words)
    let isCut = text.utf8.count >= Self.mostOutput
    return pages.answer(AssistantPages.Rest(lines: Self.lines(text), list: nil, after: isCut ? nil : 0))
  }

  private func next(_ rest: AssistantPages.Rest) async throws -> Object {
    if rest.lines.isEmpty, let list = rest.list { return try await self.list(["next"], after: list) }
    await log("next")
    return pages.answer(rest)
  }

  private func propose(_ arguments: AssistantArguments, by client: String) async throws -> Object {
    let (commands, purpose) = (arguments.text("commands") ?? "", arguments.text("for") ?? "")
    // Safe: this task waits while the commands run, so that only one task uses the session.
    nonisolated(unsafe) let session = session
    var plan = Object()
    _ = try await captured {
      let result = await session.logging("plan \(Quoting.word(commands))", line: 0) {
        () async -> Result<Object, CommandFailure>? in
        do {
          return .success(try await AssistantPlans(session: session).propose(commands, for: purpose, by: client))
        } catch { return .failure(session.ports.failure(error)) }
      }
      plan = try result?.get() ?? Object()
    }
    return plan
  }

  /// Logs a call that needs no command.
  private func log(_ command: String, _ failure: CommandFailure? = nil) async {
    isLogged = true
    _ = await session.logging(command, line: 0) {
      failure.map { .failure($0) } ?? Result<Void, CommandFailure>.success(())
    }
  }

  private static func lines(_ text: String) -> ArraySlice<Substring> { text.split(separator: "\n")[...] }

  // MARK: Commands

  /// Runs a command, and returns its output.
  private func run(_ words: [String]) async throws -> String {
    try await captured { [session] in
      let command = ScriptCommand(shellWords: words, source: nil)
      let outcome = await session.perform(command.line, at: command.statement, from: CommandSource([]))
      guard let outcome else { throw CommandFailure(.interrupted, "interrupted") }
      _ = try outcome.get()
    }
  }

  /// Returns the output of commands; keeps their notes, and the total of a list if one is known.
  private func captured(_ body: () async throws -> Void) async throws -> String {
    let own = (session.output, session.errors)
    let (results, errors) = (Output(capturedFor: own.0, most: Self.mostOutput), Output(capturedFor: own.1))
    (session.output, session.errors) = (results, errors)
    isLogged = true
    defer {
      (session.output, session.errors) = own
      for line in errors.takeText().split(separator: "\n") { keep(line) }
    }
    try await body()
    return results.takeText()
  }

  private func keep(_ line: Substring) {
    guard case .object(let note)? = try? JSONReader.read(String(line)), let message = note["message"] else {
      return notes.append(.string(String(line)))
    }
    // The footer of a list.
    if note.has("first") { total = note["total"]?.integer } else { notes.append(message) }
  }
}
