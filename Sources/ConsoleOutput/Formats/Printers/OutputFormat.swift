package import BackendKit

/// The formats in which records are printed. `docs/reference/formats.md` describes how each represents null, empty texts
/// and the like.
package enum OutputFormat: String, CaseIterable, Sendable {
  case table, expanded, json, ndjson, yaml, csv, tsv, markdown, id

  package func printer(_ presentation: Presentation) -> RecordText { RecordText(format(presentation)) }

  private func format(_ presentation: Presentation) -> any RecordPrinter {
    switch self {
    case .table: TablePrinter(presentation)
    case .expanded: ExpandedPrinter(presentation)
    case .json: JSONPrinter(presentation)
    case .ndjson: JSONLinePrinter(presentation)
    case .yaml: YAMLPrinter(presentation)
    case .csv: SeparatedPrinter(presentation, form: .csv)
    case .tsv: SeparatedPrinter(presentation, form: .tsv)
    case .markdown: MarkdownPrinter(presentation)
    case .id: IdentifierPrinter(presentation)
    }
  }
}

/// Prints the records of one result in a format, record by record. ``RecordText`` drives it.
package protocol RecordPrinter: Sendable {
  /// The number of records needed before the first can be printed.
  var sampleSize: Int { get }

  /// Returns the text before the records. Gets the first records, fewer if there are no more; they are added later.
  mutating func begin(_ sample: [Record]) -> String

  /// Appends the next record as UTF-8, usually in whole lines.
  mutating func add(_ record: Record, to text: inout [UInt8])

  /// Returns the remaining text at the end.
  mutating func finish() -> String

  /// Returns the remaining text of an interrupted result. A document format omits its end, so that no reader mistakes
  /// the text for the whole.
  mutating func abandon() -> String

  /// Messages for standard error about what the output could not show; complete after `finish`.
  var notes: [String] { get }
}

extension RecordPrinter {
  package var sampleSize: Int { 0 }

  package var notes: [String] { [] }

  package mutating func begin(_ sample: [Record]) -> String { "" }

  package mutating func finish() -> String { "" }

  package mutating func abandon() -> String { finish() }
}
