import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension Restriction {
  /// Refuses a backend that is not in the configuration, or only in an untrusted file of it.
  func check(backend name: String, in configuration: Configuration) throws(UsageError) {
    guard isOn else { return }
    guard let backend = configuration.backends.first(where: { $0.name == name }) else {
      throw refusal("only backends of the configuration are available, and \(name) is not one of them")
    }
    guard backend.isTrusted else {
      throw refusal("only backends of a trusted configuration are available, and \(backend.file) is not trusted")
    }
  }

  /// Refuses a command of a restricted run before it runs, as far as its words show that it would be refused.
  /// `isPlanned` is true of a preview and of a check, which send nothing.
  func check(_ line: CommandLine, isPlanned: Bool) throws(UsageError) {
    if line.shell != nil || line.pipeline != nil { throw refusal("shell commands are disabled") }
    try check(line.words[...], isPlanned && permitsPlans)
  }

  private func check(_ words: ArraySlice<Word>, _ isPlanned: Bool) throws(UsageError) {
    guard let (command, reading) = CommandTable.reading(words) else { return }
    let effects = command.effects(of: reading)
    let refused: CommandEffects =
      isPlanned && effects.contains(.handsOverWrites) ? .changesLogin : [.writesRecords, .changesLogin]
    if !effects.isDisjoint(with: refused) {
      throw refusal("\(command.name) \(command.readsOnly?.clause ?? "is not a read-only command")")
    }
    if effects.contains(.makesFolders) { throw refusal("folders cannot be created") }
    if effects.contains(.runsPrograms) { throw refusal("programs cannot be started") }
    if effects.contains(.changesConfiguration) { throw refusal("the configuration cannot be changed") }
    if effects.contains(.usesJournal) { throw refusal("the journal cannot be read") }
    let read = reading.bound { BackendConfiguration.adHoc($1.text) != nil }
    for (file, use) in read.files where use != .input || file.text != "-" { try check(file: file.text) }
    for (word, kind) in read.arguments where kind == .target || kind == .backend {
      guard !word.isQuoted, BackendConfiguration.adHoc(word.text) != nil else { continue }
      throw refusal("only backends of the configuration are available, and \(word.text) is not one of them")
    }
    if let line = read.line { try check(line, isPlanned) }
  }
}
