import CommandLanguage
import ConsoleSystem

/// Finds the target of a command. Once it is resolved, the meaning of the other words is known.
extension CommandContext {
  /// Resolves the target of a command and binds the remaining words. Throws if a word is missing or unexpected.
  func target(of invocation: Invocation) async throws -> (Target, Invocation) {
    let reading = invocation.reading
    let isOnly = reading.words.count - reading.arguments.count == 1
    let (target, isNamed) = try await targets.takeTarget(reading.open, isOnly: isOnly)
    return (target, try await known(reading, isNamed))
  }

  /// Resolves the backend of a command and binds the remaining words in the same way.
  func backend(of invocation: Invocation) async throws -> (OpenBackend, Invocation) {
    let (backend, isNamed) = try await targets.takeBackend(invocation.reading.open)
    return (backend, try await known(invocation.reading, isNamed))
  }

  /// Resolves the target of a command that takes identifiers. A record as messages print it (`todos/8`) gives both target and
  /// identifier; `@3` gives the target of the list on the screen.
  func targetOfRecord(_ invocation: Invocation) async throws -> (Target, Invocation) {
    guard let word = invocation.reading.open else { return try await target(of: invocation) }
    if let number = ShownList.number(word) {
      let list = try shownList(word, number)
      let target = try await targets.target(backend: list.backend, path: list.path)
      targets.work(on: target)
      return (target, try await known(invocation.reading, false))
    }
    guard let (target, id) = try await targets.record(named: word.text) else { return try await target(of: invocation) }
    targets.work(on: target)
    let identifier = word.dropFirst(word.text.utf8.count - id.utf8.count)
    return (target, try await known(invocation.reading.replacingOpen(by: identifier), false))
  }

  /// Binds the words of a command after its target was resolved; `isNamed` is true if the first unbound word names it.
  func known(_ reading: CommandReading, _ isNamed: Bool) async throws -> Invocation {
    let bound = reading.bound { _, _ in isNamed }
    if !isNamed, let word = reading.open, bound.arguments[reading.arguments.count].kind == nil,
      row?.takes(.identifier) == false
    {
      throw UsageError(
        "unknown backend or resource \"\(word.text)\"",
        hint: await targets.nearestTarget(word.text).map { "did you mean \($0)?" } ?? targets.backendNames)
    }
    return try Invocation(bound)
  }
}
