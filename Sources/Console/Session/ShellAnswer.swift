import CommandLanguage

/// Answers the completion script of a shell.
enum ShellAnswer {
  /// The completions of a shell's line up to the cursor. Its first word is the program's name.
  static func completions(of line: String, _ session: Session) -> String {
    let options = CommandLineOptions.groups.flatMap(\.options)
    let partial = PartialLine(line)
    // The options of the program precede the command.
    let place = CommandPlace(Array(partial.words.dropFirst()), partial.last, [.optional(.line)], options) { _, _ in
      false
    }
    let (completion, found) = complete(partial.last, place, session)
    var words = completion.candidates.flatMap { [$0.word, $0.note ?? ""] }
    // No command of the console: it opens a door beside it.
    let door = AssistantOptions.word
    if place.line?.isEmpty ?? true, !partial.last.raw.isEmpty, door.hasPrefix(partial.last.raw) { words += [door, ""] }
    if words.isEmpty, !found.takesFile { words = ["", ""] }
    return ([partial.last.raw] + words).joined(separator: "\0")
  }

  /// The continuations of a word, and its place in the innermost command.
  private static func complete(
    _ word: PartialWord, _ place: CommandPlace, _ session: Session
  ) -> (CommandCompletion, CommandPlace) {
    // Lookups need their own threads, since this one waits.
    let knowledge = CompletionContext(
      catalog: session.catalog, connector: session.connector, blanking: session.context.blanking, executor: nil)
    session.knowledge = knowledge
    session.teach()
    func find(_ completer: inout Completer, _ line: [Word]) -> (CommandCompletion, CommandPlace) {
      let known = completer
      let place =
        line.first?.isPlain(AssistantOptions.word) == true
        ? CommandPlace(Array(line.dropFirst()), word, [], AssistantOptions.syntax, isNamed: known.isNamed)
        : CommandPlace(line, word, isNamed: known.isNamed)
      return (completer.complete(word, place), place)
    }
    var completer = Completer(knowledge.now)
    guard let line = place.line else { return (completer.complete(word, place), place) }
    let first = find(&completer, line)
    let lookups = completer.missing.filter { $0.asksNoServer }
    // Without requests this ends soon. A shell asks once, and cannot redraw.
    guard !lookups.isEmpty, knowledge.find(lookups, within: 2000) else { return first }
    completer = Completer(knowledge.now)
    return find(&completer, line)
  }
}
