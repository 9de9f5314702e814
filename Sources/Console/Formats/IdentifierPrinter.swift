import BackendKit

/// Prints the identifiers only, one a line. A record without one prints nothing.
struct IdentifierPrinter: RecordPrinter {
  private let presentation: Presentation

  /// A printer before the first record.
  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ records: [Record]) -> String {
    var text = ""
    for record in records {
      guard let id = record.id else { continue }
      text += IdentifierLine.written(id.text, isTerminal: presentation.isTerminal)
      text += "\n"
    }
    return text
  }

  mutating func finish() -> String { "" }
}
