import BackendKit

/// The columns of a table and how wide they are.
struct TableLayout: Sendable {
  /// One column.
  struct Column: Sendable {
    var path: FieldPath
    var kind: FieldDescription.Kind?
    var header: String
    var width: Int
    var isNumeric: Bool
    /// Whether cells may be cut; numbers and identifiers never are.
    var isElastic: Bool
  }

  /// The columns, from left to right.
  var columns: [Column]
  /// Whether long cells are cut to the width of their column.
  var cuts: Bool

  static let margin = " "
  static let gap = "  "
  /// How narrow an elastic column can become.
  static let narrowest = 8

  /// The layout for these records and their cells; nil where it cannot be made to fit the terminal.
  init?(_ paths: [FieldPath], _ records: some Collection<Record>, _ presentation: Presentation) {
    columns = paths.map { path in
      let kind = RecordColumns.kind(of: path, presentation)
      let header = presentation.header ? Visible.text(path.text).uppercased() : ""
      return Column(
        path: path, kind: kind, header: header, width: DisplayWidth.columns(of: header), isNumeric: true,
        isElastic: true)
    }
    cuts = presentation.width != nil
    for place in columns.indices { columns[place].measure(records) }
    if let width = presentation.width, !shrink(to: width) { return nil }
  }

  /// Appends the line with the names.
  func appendHeader(to text: inout String) { append(columns.map(\.header), to: &text) }

  /// Appends the line of a record.
  func append(_ record: Record, to text: inout String) {
    append(columns.map { Cell.text(record.state(of: $0.path), kind: $0.kind) }, to: &text)
  }

  private func append(_ cells: [String], to text: inout String) {
    text += TableLayout.margin
    for (place, cell) in cells.enumerated() {
      let column = columns[place]
      let cell = cuts && column.isElastic ? DisplayWidth.cut(cell, to: column.width) : cell
      let padding = max(0, column.width - DisplayWidth.columns(of: cell))
      if place > 0 { text += TableLayout.gap }
      if column.isNumeric { text.append(spaces: padding) }
      text += cell
      if !column.isNumeric, place < cells.count - 1 { text.append(spaces: padding) }
    }
    text += "\n"
  }

  // Takes from the widest elastic columns until the lines fit.
  private mutating func shrink(to width: Int) -> Bool {
    let fixed = TableLayout.margin.utf8.count + TableLayout.gap.utf8.count * max(0, columns.count - 1)
    let elastic = columns.indices.filter { columns[$0].isElastic }
    func total() -> Int { fixed + columns.reduce(0) { $0 + $1.width } }
    while total() > width {
      guard let widest = elastic.max(by: { columns[$0].width < columns[$1].width }),
        columns[widest].width > TableLayout.narrowest
      else { return false }
      let next = elastic.filter { $0 != widest }.map { columns[$0].width }.max() ?? 0
      let excess = columns[widest].width - (total() - width)
      columns[widest].width = max(min(columns[widest].width - 1, next), excess, TableLayout.narrowest)
    }
    return true
  }
}

extension TableLayout.Column {
  fileprivate mutating func measure(_ records: some Collection<Record>) {
    var hasNumber = false
    var isIdentifier = !records.isEmpty
    for record in records {
      let state = record.state(of: path)
      switch state {
      case .value(.number): hasNumber = true
      case .value(.null), .absent, .unloaded: break
      default: isNumeric = false
      }
      if case .value(let value) = state, RecordID(value) == record.id {} else { isIdentifier = false }
      width = max(width, DisplayWidth.columns(of: Cell.text(state, kind: kind)))
    }
    isNumeric = isNumeric && hasNumber
    isElastic = !isNumeric && !isIdentifier
  }
}

extension String {
  /// Appends blanks.
  mutating func append(spaces count: Int) {
    if count > 0 { append(contentsOf: repeatElement(" ", count: count)) }
  }
}
