import BackendKit

/// Prints the identifiers only, one a line. A record without one prints nothing.
struct IdentifierPrinter: RecordPrinter {
  private let presentation: Presentation

  /// A printer before the first record.
  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record) -> String {
    record.id.map { IdentifierLine.written($0.text, isTerminal: presentation.isTerminal) + "\n" } ?? ""
  }
}
