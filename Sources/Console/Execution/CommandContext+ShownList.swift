import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

extension CommandContext {
  /// The word of an identifier that stands for a record of the list on the screen, or is written as messages print the record.
  func identifier(_ word: Word, of target: Target) throws(UsageError) -> Word {
    guard word.isBare, !word.isUnknown else { return word }
    if let number = ShownList.number(word) {
      let list = try shownList(word, number)
      guard list.backend == target.client.name, list.path == target.path else {
        throw UsageError(
          "\(word.text) is a record of \(list.backend)/\(list.path), not of \(target.description)", column: word.column)
      }
      guard number <= list.records.count, let id = list.records[number - 1].id else {
        throw UsageError(
          "the list has no record \(word.text)", hint: "it shows \(counted(list.records.count, "record"))",
          column: word.column)
      }
      var word = word.literal(true)
      word.text = id.text
      return word
    }
    for prefix in ["\(target.description)/", "\(target.path)/"]
    where word.text.utf8.count > prefix.utf8.count && word.text.hasPrefix(prefix) {
      return word.dropFirst(prefix.utf8.count)
    }
    return word
  }

  /// The list on the screen, of whose records a word names one.
  func shownList(_ word: Word, _ number: Int) throws(UsageError) -> ShownList {
    guard run.isInteractive else {
      throw UsageError(
        "\(word.text) refers to a record of the list on the screen, which a script does not have",
        hint: "after -- or in quotes it is an identifier", column: word.column)
    }
    guard number > 0, let list = run.shownList else {
      throw UsageError(
        "\(word.text) is a record of the list on the screen, and \(number > 0 ? "there is none" : "the first is @1")",
        hint: "after -- or in quotes it is an identifier", column: word.column)
    }
    return list
  }
}
