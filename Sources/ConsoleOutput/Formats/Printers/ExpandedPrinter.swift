package import BackendKit

/// Prints each record as a block of lines, one per field: ` name  value`. Text keeps its line ends, indented; at a
/// terminal it is wrapped. Fields of the type html are converted to text, with their links listed below.
package struct ExpandedPrinter: RecordPrinter {
  private let presentation: Presentation
  private var theme: Theme { presentation.theme }
  private var isFirst = true
  /// The minimum width of values next to their names.
  private static let narrowest = 12

  package init(_ presentation: Presentation) { self.presentation = presentation }

  package mutating func add(_ record: Record, to text: inout [UInt8]) {
    var lines = isFirst ? "" : "\n"
    isFirst = false
    append(record, to: &lines)
    text.append(contentsOf: lines.utf8)
  }

  private func append(_ record: Record, to text: inout String) {
    let chosen = RecordColumns.choose(presentation, CollectionOfOne(record), onlyPresent: true)
    let paths = RecordColumns.linksLast(chosen, presentation, CollectionOfOne(record))
    let names = paths.map { Escaping.text($0.text) }
    let widths = names.map { DisplayWidth.columns(of: $0) }
    let nameWidth = 3 + (widths.max() ?? 0)
    // In a narrow window, values are below long names.
    let isStacked = presentation.width.map { $0 - nameWidth < Self.narrowest } ?? false
    let indentation = isStacked ? 3 : nameWidth
    var links = 0
    for (index, path) in paths.enumerated() {
      let state = presentation.state(of: path, in: record)
      let kind = RecordColumns.kind(of: path, presentation)
      var lines =
        presentation.isRelated(path)
        ? [Cell.related(state)]
        : lines(
          state, kind: kind, width: presentation.width.map { max(Self.narrowest, $0 - indentation) }, links: &links)
      if !theme.isPlain, let role = role(state, kind: kind, record) { lines = lines.map { theme.paint($0, role) } }
      text += " "
      text += theme.isPlain ? names[index] : theme.paint(names[index], .name)
      if isStacked { text += "\n" } else { text.append(spaces: indentation - 1 - widths[index]) }
      for (number, line) in lines.enumerated() {
        if number > 0 || isStacked, !line.isEmpty { text.append(spaces: indentation) }
        text += line
        text += "\n"
      }
    }
  }

  private func role(_ state: FieldState, kind: FieldDescription.Kind?, _ record: Record) -> Theme.Role? {
    if case .value(let value) = state, let id = RecordID(value), id == record.id { return .identifier }
    return Cell.role(state, kind: kind)
  }

  private func lines(
    _ state: FieldState, kind: FieldDescription.Kind?, width: Int?, links: inout Int
  ) -> [String] {
    switch state {
    case .value(.string(let text)) where kind == .html:
      // Link numbers continue across fields, so that they are unique in the record.
      let manner = HTMLLines.Manner(firstLink: links + 1, marksStyles: !theme.isPlain, width: width)
      let content = HTMLText.lines(text, manner, links: &links)
      return TextStyle.painted(wrapped(content, width, hangs: true), theme)
    case .value(.string(let text)): return wrapped(Escaping.lines(text), width)
    case .value(.array), .value(.object):
      let compact = Cell.text(state, kind: kind)
      if DisplayWidth.columns(of: compact) <= width ?? 100 { return [compact] }
      guard case .value(let value) = state else { return [compact] }
      return JSONWriter.indented(value).split(separator: "\n").map { Escaping.text(String($0)) }
    default: return [Cell.text(state, kind: kind)]
    }
  }

  private func wrapped(_ lines: [String], _ width: Int?, hangs: Bool = false) -> [String] {
    let lines = lines.count < 2 ? [Cell.text(lines.first ?? "")] : lines
    guard let width else { return lines }
    return lines.flatMap {
      hangs ? Wrapping.hangingLines(of: $0, width: width) : Wrapping.lines(of: $0, width: width)
    }
  }
}
