package import BackendKit

/// A column laid out by itself, for a screen that shows some columns of many.
package struct SingleColumn: Sendable {
  /// A text is cut to so many code points before it is escaped and measured.
  private static let most = 2_048

  private let column: TableLayout.Column

  /// A column as wide as its name and the cells of a sample.
  package init(_ path: FieldPath, _ presentation: Presentation, sample: [Record]) {
    var layout = TableLayout([path], presentation)
    let rows = sample.map { [layout.columns[0].cell(Self.cut($0.state(of: path)))] }
    _ = layout.fit(sample, rows, width: nil)
    column = layout.columns[0]
  }

  package var path: FieldPath { column.path }
  package var header: String { column.header }
  package var isNumeric: Bool { column.isNumeric }

  /// Its width where a column takes at most so much; numbers and identifiers are not cut.
  package func width(atMost most: Int) -> Int { column.isElastic ? min(column.width, most) : column.width }

  /// The text of a field, escaped, and its color.
  package func cell(_ state: FieldState, isIdentifier: Bool) -> (text: String, role: Theme.Role?) {
    let state = Self.cut(state)
    let role = Cell.role(state, kind: column.kind)
    return (column.cell(state), isIdentifier && role != .mark ? .identifier : role)
  }

  /// The columns of records, in the order of a table.
  package static func paths(_ presentation: Presentation, _ sample: [Record]) -> [FieldPath] {
    let chosen = RecordColumns.choose(presentation, sample, onlyPresent: true, dividing: false)
    return RecordColumns.linksLast(chosen, presentation, sample)
  }

  /// The beginning of a long value, which is all that a cell shows.
  private static func cut(_ state: FieldState) -> FieldState {
    switch state {
    case .value(.string(let text)) where text.utf8.count > most:
      .value(.string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))))
    case .value(.array(let elements)) where elements.count > most: .value(.array(Array(elements.prefix(most))))
    case .value(.object(let object)) where object.count > most:
      .value(.object(Object(Array(object.members.prefix(most)))))
    default: state
    }
  }
}
