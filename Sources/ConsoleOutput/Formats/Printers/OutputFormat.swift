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
