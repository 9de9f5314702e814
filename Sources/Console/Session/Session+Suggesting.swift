import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup

extension Session {
  func suggest(after words: [Word]) async throws {
    let knowledge =
      knowledge
      ?? CompletionContext(
        catalog: catalog, connector: connector, blanking: context.blanking, executor: context.executor)
    var known = knowledge.now
    known.configurations = targets.configuration.backends
    known.current = targets.current
    known.queries = targets.configuration.queries
    let line = Quoting.line(words) + " "
    var completer = Completer(known)
    _ = completer.complete(line)
    for case .description(let name) in completer.missing {
      known.descriptions[name] = try await targets.open(name).client.describe(.known)
    }
    if completer.missing.contains(.laws) { known.laws = try context.judge().laws }
    completer = Completer(known)
    var candidates = completer.complete(line).candidates
    candidates += completer.complete(line + "-").candidates
    let command = words.first.flatMap { try? CommandTable.command(named: $0.text) }
    if let command { output.write(command.usage.fitted(to: output.width)) }
    guard !candidates.isEmpty else {
      if command == nil, let verb = words.first { _ = try CommandTable.command(named: verb.text) }
      return
    }
    output.write(("\n" + Columns.text(candidates.map { ["  \($0.text)", $0.note ?? ""] })).fitted(to: output.width))
  }
}
