import BackendKit

/// Prints the identifiers only, one a line. A record without one prints nothing.
struct IdentifierPrinter: RecordPrinter {
  private let presentation: Presentation

  /// A printer before the first record.
  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    guard let id = record.id else { return }
    text.append(contentsOf: IdentifierLine.written(id.text, isTerminal: presentation.isTerminal).utf8)
    text.append(0x0A)
  }
}
