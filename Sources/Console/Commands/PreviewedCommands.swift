import BackendKit
import CommandLanguage

/// The commands that a preview can run.
struct PreviewedCommands {
  let preview: ScriptPreview

  /// Ends the preview before a line whose effects only a run shows.
  func check(_ line: CommandLine) throws(BackendError) {
    if line.shell != nil || line.pipeline != nil {
      throw preview.stop("a shell command runs only when the script does")
    }
    guard let (command, reading) = CommandTable.reading(line.words[...]) else { return }
    let effects = command.effects(of: reading)
    for (effect, words) in Self.refused where effects.contains(effect) {
      if effect == .writesRecords, effects.contains(.handsOverWrites) { continue }
      throw preview.stop("\(command.name) \(words)")
    }
    for (file, use) in reading.bound(isNamed: { _, _ in true }).files {
      switch use {
      case .written: preview.noteWritten(file.text)
      case .read, .input:
        guard preview.wouldHaveWritten(file.text) else { continue }
        throw preview.stop("\(file.text) comes from an earlier command, and a preview writes no files")
      }
    }
  }

  private static let refused: [(effect: CommandEffects, words: String)] = [
    (.runsActions, "runs an action of the service"), (.changesLogin, "changes a login"),
    (.changesConfiguration, "changes the configuration"), (.runsPrograms, "starts a program"),
    (.makesFolders, "creates files"), (.usesJournal, "uses the journal, which has no planned writes"),
    (.writesRecords, "cannot be planned"),
  ]
}
