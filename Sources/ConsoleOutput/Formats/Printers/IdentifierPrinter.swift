import BackendKit

/// Prints only the identifiers, one per line. A record without one prints nothing.
struct IdentifierPrinter: RecordPrinter {
  private let presentation: Presentation

  init(_ presentation: Presentation) { self.presentation = presentation }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    guard let id = record.id else { return }
    text.append(contentsOf: IdentifierLine.written(id.text, isTerminal: presentation.isTerminal).utf8)
    text.append(0x0A)
  }
}
