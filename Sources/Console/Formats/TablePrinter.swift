import BackendKit

/// Prints records as lines of aligned columns. The first hundred records are held back to choose the widths; what comes
/// later follows at once. Where a terminal is too narrow for the table, records are printed expanded, or columns hidden.
struct TablePrinter: RecordPrinter {
  /// The most columns that fields become which nobody asked for.
  private static let mostColumns = 1000

  private let presentation: Presentation
  private var held: [Record] = []
  private var layout: TableLayout?
  private var expanded: ExpandedPrinter?
  private var names: Set<String> = []
  private var omitted: [String] = []
  private var hidden: [String] = []

  /// A printer at the beginning of a table.
  init(_ presentation: Presentation) { self.presentation = presentation }

  /// Fields that came too late to become columns, and columns that there was no room for.
  var notes: [String] {
    let late = SeparatedPrinter.omissions(omitted)
    if hidden.isEmpty { return late }
    let names = NameList.text(hidden.lazy.map { Visible.text($0) })
    return late + ["not shown for want of room: \(names) (--fields chooses, `set expanded on` shows all)"]
  }

  mutating func add(_ records: [Record]) -> String {
    if expanded != nil { return expanded?.add(records) ?? "" }
    if layout != nil { return lines(records) }
    held += records
    return held.count >= RecordColumns.sample ? begin() : ""
  }

  mutating func finish() -> String {
    var text = layout == nil && expanded == nil ? begin() : ""
    text += expanded?.finish() ?? ""
    return text
  }

  private mutating func begin() -> String {
    defer { held = [] }
    let sample = held.prefix(RecordColumns.sample)
    let chosen = RecordColumns.choose(presentation, sample, onlyPresent: true)
    // More than these nobody reads side by side, and each costs time in every record.
    let paths = presentation.columns == nil ? Array(chosen.prefix(Self.mostColumns)) : chosen
    if paths.isEmpty, held.isEmpty { return "" }
    var layout = TableLayout(paths, presentation)
    let rows = sample.map { layout.cells(of: $0) }
    if !layout.fit(sample, rows, width: presentation.width) {
      guard !presentation.isExpandable, let width = presentation.width else {
        var expanded = ExpandedPrinter(presentation)
        defer { self.expanded = expanded }
        return expanded.add(held)
      }
      hidden = layout.hide(toFit: width)
    }
    hidden += chosen.dropFirst(paths.count).map(\.text)
    self.layout = layout
    names = Set(chosen.map(\.text))
    var text = ""
    if presentation.header { layout.appendHeader(to: &text) }
    if hidden.isEmpty {
      for (record, row) in zip(sample, rows) { layout.append(row, of: record, to: &text) }
    } else {
      text += lines(sample)
    }
    return text + lines(held.dropFirst(sample.count))
  }

  private mutating func lines(_ records: some Collection<Record>) -> String {
    guard let layout else { return "" }
    var text = ""
    for record in records {
      layout.append(layout.cells(of: record), of: record, to: &text)
      guard presentation.columns == nil else { continue }
      for name in record.fields.names where names.insert(name).inserted { omitted.append(name) }
    }
    return text
  }
}
