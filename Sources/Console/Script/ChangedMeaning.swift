import BackendKit
import CommandLanguage
import ConsoleSystem

/// Commands of scripts whose meaning differs from earlier versions, for `--check`. docs/reference/upgrading.md lists
/// all changes.
enum ChangedMeaning {
  private static let hint = "see docs/reference/upgrading.md"

  static func warnings(about words: [Word], _ command: Command, _ reading: CommandReading) -> [UsageError] {
    func has(_ name: String) -> Word? { reading.options.first { $0.syntax.name == name }.map { $0.value ?? words[0] } }
    var warnings: [UsageError] = []
    if command.name == Command.undo.name, reading.options.allSatisfy({ $0.syntax.name == "yes" }) {
      warnings.append(
        UsageError(
          "undo now reverts the last command with all its writes, not just the last write",
          hint: "undo --writes 1 reverts one write", column: words[0].column))
    }
    if has("rejects") != nil,
      let file = words.dropFirst().first(where: { RowFormat(ofFileNamed: $0.text)?.isText == true })
    {
      warnings.append(
        UsageError(
          "--rejects writes rows in the format of \(file.text) with a column \(RejectsForm.reason), no longer ndjson",
          hint: hint, column: has("rejects")?.column))
    }
    if let word = has("where"), let name = ["now", "today"].first(where: { word.text.names($0) }) {
      warnings.append(
        UsageError(
          "in a condition, \(name) is a point in time", hint: "in quotes it is the text: '\(name)'", column: word.column
        ))
    }
    return warnings
  }

  static func warnings(about value: Word) -> [UsageError] {
    guard value.expression != nil, value.text.contains(text: " / ") else { return [] }
    return [UsageError("/ gives exact decimals: 7 / 2 is 3.5", hint: hint, column: value.column)]
  }
}

extension String {
  fileprivate func names(_ name: String) -> Bool {
    let bare = split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
    return bare.contains { part in
      part.element.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "\"" }.contains { $0 == name }
    }
  }
}
