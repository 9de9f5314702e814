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

  /// The columns at their least width, that of the names.
  init(_ paths: [FieldPath], _ presentation: Presentation) {
    columns = paths.map { path in
      let kind = RecordColumns.kind(of: path, presentation)
      let header = presentation.header ? Visible.text(path.text.uppercased()) : ""
      return Column(
        path: path, kind: kind, header: header, width: DisplayWidth.columns(of: header), isNumeric: true,
        isElastic: true)
    }
    cuts = presentation.width != nil
  }

  /// The cells of a record, from left to right, not yet cut.
  func cells(of record: Record) -> [String] {
    columns.map { Cell.text(record.state(of: $0.path), kind: $0.kind) }
  }

  /// Widens the columns for these records, whose cells `rows` holds, and narrows them again to the terminal; false
  /// where they cannot be made to fit.
  mutating func fit(_ records: some Collection<Record>, _ rows: [[String]], width: Int?) -> Bool {
    for place in columns.indices { columns[place].judge(records) }
    for row in rows {
      for (place, cell) in row.enumerated() {
        columns[place].width = max(columns[place].width, DisplayWidth.columns(of: cell))
      }
    }
    return width.map { shrink(to: $0) } ?? true
  }

  /// Appends the line with the names.
  func appendHeader(to text: inout String) { append(columns.map(\.header), to: &text) }

  /// Appends a line of cells.
  func append(_ cells: [String], to text: inout String) {
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
  /// Decides what the column holds.
  fileprivate mutating func judge(_ records: some Collection<Record>) {
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
    }
    isNumeric = isNumeric && hasNumber
    isElastic = !isNumeric && !isIdentifier
  }
}
