import BackendKit

/// The columns of a table and their widths.
struct TableLayout: Sendable {
  struct Column: Sendable {
    var path: FieldPath
    var kind: FieldDescription.Kind?
    var header: String
    var width: Int
    /// The width of the widest cell, without the header.
    var content = 1
    var isNumeric: Bool
    /// True if cells may be cut; numbers and identifiers never are.
    var isElastic: Bool
    /// True if all values are dates; at least their day is shown.
    var isDate = false
    var rank = Rank.short
    /// True if the column shows records to which a field refers.
    var isRelated = false
    /// The file whose facts it shows; nil for other fields.
    var file: FileField?
    /// True if moments are shown in local time.
    var isClock = false

    /// The text of a field in this column, not yet cut.
    func cell(_ state: FieldState) -> String {
      let state = state.shown(as: file)
      if isClock, case .value(let value) = state, let seconds = value.secondsSince1970 {
        return ClockTime.shown(Int64(seconds) * 1000)
      }
      return isRelated ? Cell.related(state) : Cell.text(state, kind: kind)
    }
  }

  var columns: [Column]
  /// True if cells that do not fit are wrapped; otherwise they are cut.
  let wraps: Bool
  private let cuts: Bool
  private let theme: Theme

  static let margin = " "
  static let gap = "  "

  /// The columns at their minimum widths, those of the names.
  init(_ paths: [FieldPath], _ presentation: Presentation) {
    columns = paths.map { path in
      let kind = RecordColumns.kind(of: path, presentation)
      let header = presentation.header ? Escaping.text(path.text.uppercased()) : ""
      return Column(
        path: path, kind: kind, header: header, width: DisplayWidth.columns(of: header), isNumeric: true,
        isElastic: true, isRelated: presentation.isRelated(path), file: presentation.files[path.text],
        isClock: presentation.clocks.contains(path.text))
    }
    cuts = presentation.width != nil
    wraps = cuts && presentation.wraps
    theme = presentation.theme
  }

  /// The cells of a record, from left to right, not yet cut.
  func cells(of record: Record) -> [String] { columns.map { $0.cell(record.state(of: $0.path)) } }

  func appendHeader(to text: inout String) {
    let names = cuts ? heads : columns.map(\.header)
    appendLine(names, roles: theme.isPlain ? nil : columns.map { _ in .name }, to: &text)
  }

  /// The names, cut to their columns. Names with a common prefix are cut at the front, to show their difference.
  private var heads: [String] {
    var heads = columns.map { DisplayWidth.cut($0.header, to: $0.width) }
    let alike = Dictionary(grouping: columns.indices) { heads[$0] }.values
    for group in alike where group.count > 1 {
      let headers = group.map { columns[$0].header }
      let common = headers.dropFirst().reduce(headers[0].count) { common, header in
        zip(headers[0].prefix(common), header).prefix { $0 == $1 }.count
      }
      for index in group where columns[index].header.count > common {
        let rest = "…" + columns[index].header.dropFirst(common)
        heads[index] = DisplayWidth.cut(rest, to: columns[index].width)
      }
    }
    return heads
  }

  /// Appends the line of a record, or several if cells are wrapped.
  func append(_ cells: [String], of record: Record, to text: inout String) {
    let roles = theme.isPlain ? nil : roles(of: record)
    guard wraps else { return appendLine(cuts ? cut(cells) : cells, roles: roles, to: &text) }
    let pieces = zip(cells, columns).map { cell, column in
      column.isElastic ? Wrapping.lines(of: cell, width: column.width, breaksAddresses: true) : [cell]
    }
    for line in 0..<(pieces.map(\.count).max() ?? 0) {
      appendLine(pieces.map { line < $0.count ? $0[line] : "" }, roles: roles, to: &text)
    }
  }

  private func cut(_ cells: [String]) -> [String] {
    zip(cells, columns).map { $1.isElastic ? DisplayWidth.cut($0, to: $1.width) : $0 }
  }

  private func roles(of record: Record) -> [Theme.Role?] {
    columns.map { column in
      let role = Cell.role(record.state(of: column.path), kind: column.kind)
      return column.rank == .identifier && role != .mark ? .identifier : role
    }
  }

  private func appendLine(_ cells: [String], roles: [Theme.Role?]?, to text: inout String) {
    text += TableLayout.margin
    for (index, cell) in cells.enumerated() {
      let column = columns[index]
      let padding = max(0, column.width - DisplayWidth.columns(of: cell))
      if index > 0 { text += TableLayout.gap }
      if column.isNumeric { text.append(spaces: padding) }
      if let roles { text += theme.paint(cell, roles[index]) } else { text += cell }
      if !column.isNumeric, index < cells.count - 1 { text.append(spaces: padding) }
    }
    text += "\n"
  }
}
