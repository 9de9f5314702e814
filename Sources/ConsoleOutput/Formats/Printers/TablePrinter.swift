import BackendKit

/// Prints records as lines of aligned columns. The first hundred records are held back to choose the widths; later ones
/// follow immediately. If a terminal is too narrow for the table, records are printed expanded, or columns hidden.
struct TablePrinter: RecordPrinter {
  /// The maximum number of columns unless they are requested.
  private static let mostColumns = 1000

  private let presentation: Presentation
  /// The cells of the first records, until they are printed.
  private var rows: ArraySlice<[String]> = []
  private var layout: TableLayout?
  private var expanded: ExpandedPrinter?
  private var names: Set<ExactText> = []
  private var omitted: [String] = []
  private var hidden: [String] = []

  init(_ presentation: Presentation) { self.presentation = presentation }

  /// Fields that came too late to become columns, and columns that did not fit.
  var notes: [String] {
    let late = omitted.isEmpty ? [] : SeparatedPrinter.omissions(omitted)
    if hidden.isEmpty { return late }
    // As many names as one line holds.
    var shown = min(hidden.count, NameList.limit)
    var note = hiddenNote(naming: shown)
    while shown > 1, let width = presentation.width, DisplayWidth.columns(of: note) > width {
      shown -= 1
      note = hiddenNote(naming: shown)
    }
    return late + [note]
  }

  private func hiddenNote(naming count: Int) -> String {
    let names = hidden.prefix(count).map { Escaping.text($0) }.joined(separator: ", ")
    let more = hidden.count > count ? " and \(hidden.count - count) more" : ""
    return "hidden columns: \(names)\(more) (--fields, set expanded on)"
  }

  var sampleSize: Int { RecordColumns.sample }

  mutating func begin(_ sample: [Record]) -> String {
    let chosen = RecordColumns.choose(presentation, sample, onlyPresent: true, dividing: false)
    // More columns are not readable, and each costs time in every record.
    let most = presentation.columns == nil ? Array(chosen.prefix(Self.mostColumns)) : chosen
    let paths = RecordColumns.linksLast(most, presentation, sample)
    if paths.isEmpty, sample.isEmpty { return "" }
    var layout = TableLayout(paths, presentation)
    let rows = sample.map { layout.cells(of: $0) }
    if !layout.fit(sample, rows, width: presentation.width), let width = presentation.width {
      if presentation.columns == nil { hidden = layout.hideLinks(toFit: width) }
      guard !hidden.isEmpty || !presentation.isExpandable else {
        expanded = ExpandedPrinter(presentation)
        return ""
      }
      if hidden.isEmpty { hidden = layout.hide(toFit: width) }
    }
    if hidden.isEmpty { self.rows = rows[...] }
    hidden += chosen.dropFirst(paths.count).map(\.text)
    self.layout = layout
    names = Set(chosen.map { ExactText($0.text) })
    var text = ""
    if presentation.header { layout.appendHeader(to: &text) }
    return text
  }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    guard let layout else {
      expanded?.add(record, to: &text)
      return
    }
    var line = ""
    layout.append(rows.popFirst() ?? layout.cells(of: record), of: record, to: &line)
    text.append(contentsOf: line.utf8)
    if presentation.columns == nil {
      for name in record.fields.names where names.insert(ExactText(name)).inserted { omitted.append(name) }
    }
  }
}
