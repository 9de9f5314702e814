import CommandLanguage
import ConsoleSystem

extension StatementWords {
  static func status(_ word: Word) throws(UsageError) -> Int32 {
    guard let status = Int32(word.text), (0...255).contains(status) else {
      throw UsageError("exit takes a number from 0 to 255, not \"\(word.text)\"", column: word.column)
    }
    return status
  }

  static func attempts(_ word: Word) throws(UsageError) -> Int {
    guard let count = Int(word.text), (1...100_000).contains(count) else {
      throw UsageError("retry takes a number from 1 to 100000, not \"\(word.text)\"", column: word.column)
    }
    return count
  }

  /// The delay of a retry in seconds.
  static func seconds(_ word: Word) throws(UsageError) -> Int {
    guard let seconds = Int(word.text), (0...86_400).contains(seconds) else {
      throw UsageError("every takes seconds from 0 to 86400, not \"\(word.text)\"", column: word.column)
    }
    return seconds
  }
}
