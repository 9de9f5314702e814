package import ConsoleSystem

/// The lines entered at a terminal, in this session and before.
public protocol LineHistory: AnyObject {
  /// The lines with their numbers, oldest first. A line keeps its number during a session.
  var lines: [(number: Int, text: String)] { get }
  /// Adds a line that was not typed, but does what the user did otherwise; not if it has a secret.
  func add(_ line: String)
  /// Deletes all lines; returns a sentence if they could not be removed from storage.
  func clear() -> String?
}

/// A reference to an earlier line: `!!` for the last, `!12` for number 12, followed by any addition.
public enum HistoryReference: Sendable, Hashable {
  case last
  case number(Int)

  /// The reference at the beginning of a line, and the rest; nil if there is none.
  public static func leading(_ line: String) -> (reference: HistoryReference, rest: String)? {
    if line.hasPrefix("!!"), !line.hasPrefix("!!!") {
      let rest = line.dropFirst(2)
      return (.last, (rest.first?.isWhitespace ?? true ? "" : " ") + rest)
    }
    let word = line.prefix { !$0.isWhitespace }
    guard let reference = HistoryReference(word: word) else { return nil }
    return (reference, String(line[word.endIndex...]))
  }

  init?(word: some StringProtocol) {
    guard word.first == "!" else { return nil }
    let name = word.dropFirst()
    if name == "!" {
      self = .last
    } else if let number = Int(name), name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      self = .number(number)
    } else {
      return nil
    }
  }

  /// The referenced line; nil if there is none.
  public func line(in history: some LineHistory) -> String? {
    switch self {
    case .last: history.lines.last?.text
    case .number(let number): history.lines.first { $0.number == number }?.text
    }
  }

  /// Refuses a reference to an earlier line if there is no history.
  package static func refuse(_ word: String) throws(UsageError) {
    guard HistoryReference(word: word) != nil else { return }
    throw UsageError("\(word) refers to a line entered at a terminal; a script has none", hint: "write the line")
  }
}
