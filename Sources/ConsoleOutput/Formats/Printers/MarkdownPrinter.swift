import BackendKit

/// Prints records as a Markdown table, for tickets and chats. Absent fields and null are empty cells.
struct MarkdownPrinter: RecordPrinter {
  private let presentation: Presentation
  private var columns: [FieldPath] = []

  init(_ presentation: Presentation) { self.presentation = presentation }

  var sampleSize: Int { RecordColumns.sampleSize(presentation) }

  mutating func begin(_ sample: [Record]) -> String {
    columns = RecordColumns.choose(presentation, sample, onlyPresent: true)
    guard presentation.header, !columns.isEmpty else { return "" }
    return Self.line(columns.map { Self.cell($0.text) }) + Self.line(columns.map { _ in "---" })
  }

  mutating func add(_ record: Record, to text: inout [UInt8]) {
    guard !columns.isEmpty else { return }
    let cells = columns.map { path -> String in
      guard case .value(let value) = record.state(of: path), value != .null else { return "" }
      return Self.cell(value.plainText)
    }
    text += Self.line(cells).utf8
  }

  private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  /// A text as one cell, with Markdown escaped.
  private static func cell(_ text: String) -> String {
    var cell = ""
    // A line may end with LF, CR or both.
    for scalar in text.replacing(text: "\r\n", with: "\n").unicodeScalars {
      switch scalar {
      case "\n", "\r": cell += "<br>"
      case "<": cell += "&lt;"
      case "&": cell += "&amp;"
      case "\\", "|", "`", "*", "_", "[", "]", "~", "$": cell += "\\\(scalar)"
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return Escaping.text(cell)
  }
}
