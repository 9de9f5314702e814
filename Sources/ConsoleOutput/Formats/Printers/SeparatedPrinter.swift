package import BackendKit
import Glibc

/// Prints records as csv (RFC 4180, with LF line ends) or tsv, both with raw data.
///
/// The columns are those requested; otherwise the described fields and all others of the first hundred records, which
/// are held back for that. A field that occurs later is left out and noted.
package struct SeparatedPrinter: RecordPrinter {
  package enum Form: Sendable {
    case csv, tsv
  }

  private let presentation: Presentation
  private let form: Form
  private var columns: [FieldPath] = []
  private var names: Set<ExactText> = []
  private var omitted: [String] = []
  /// The fields of the previous record, which are usually the same, and the index of each column among them.
  private var latest: (names: [String], places: [Int?]) = ([], [])

  package init(_ presentation: Presentation, form: Form) {
    self.presentation = presentation
    self.form = form
  }

  package var notes: [String] { SeparatedPrinter.omissions(omitted) }

  /// The messages for fields that came too late to become columns; the first ones of many.
  static func omissions(_ names: [String]) -> [String] {
    let more = names.count - NameList.limit
    return names.prefix(NameList.limit).map { omission($0) }
      + (more > 0
        ? ["\(more) more fields are omitted: the first \(RecordColumns.sample) records do not have them"] : [])
  }

  /// The sentence for a field that came too late to become a column.
  static func omission(_ name: String) -> String {
    "the field \(name) is omitted: the first \(RecordColumns.sample) records do not have it"
  }

  package var sampleSize: Int { RecordColumns.sampleSize(presentation) }

  package mutating func begin(_ sample: [Record]) -> String {
    columns = RecordColumns.choose(presentation, sample, onlyPresent: false)
    names = Set(columns.map { ExactText($0.text) })
    latest = ([], columns.map { _ in nil })
    return presentation.header ? line(columns.map { cell(.value(.string($0.text)), isName: true) }) : ""
  }

  package mutating func add(_ record: Record, to text: inout [UInt8]) {
    let names = record.fields.names
    if !Self.isSame(names, latest.names) || !presentation.related.isEmpty { take(names, of: record) }
    guard columns.count <= 100 else {
      text.append(contentsOf: line(cells(of: record)).utf8)
      return
    }
    // A closure that captured the printer would copy it for each cell.
    let (form, places, fields) = (form, latest.places, record.fields)
    for (index, place) in places.enumerated() {
      if index > 0 { text.append(form == .csv ? UInt8(ascii: ",") : 0x09) }
      if let place, fields.withText(at: place, { Self.append(json: $0, as: form, to: &text) }) ?? false { continue }
      text.append(contentsOf: cell(record.state(of: columns[index])).utf8)
    }
    if !columns.isEmpty { text.append(0x0A) }
  }

  /// Returns whether both are the same names, byte for byte. Most records share them with the previous one.
  private static func isSame(_ left: [String], _ right: [String]) -> Bool {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        left.count == right.count
          && (left.baseAddress == right.baseAddress || left.elementsEqual(right) { $0.hasSameBytes(as: $1) })
      }
    }
  }

  /// Finds the columns among the fields of a record, and notes fields that came too late.
  private mutating func take(_ names: [String], of record: Record) {
    let isRaw = !presentation.isTerminal && !presentation.isSpreadsheetSafe && columns.count <= 100
    latest = (names, columns.map { isRaw ? record.fields.place(of: $0.text) : nil })
    guard presentation.columns == nil else { return }
    for name in RecordColumns.names(in: record, presentation) where self.names.insert(ExactText(name)).inserted {
      omitted.append(name)
    }
  }

  /// Appends the cell of a JSON text; false if more is needed than removing its quotes.
  private static func append(json: UnsafeBufferPointer<UInt8>, as form: Form, to text: inout [UInt8]) -> Bool {
    func has(_ byte: UInt8) -> Bool { json.baseAddress.map { memchr($0, Int32(byte), json.count) != nil } ?? false }
    switch json.first {
    case UInt8(ascii: "\""):
      // A byte-order mark and escapes need closer examination.
      if has(UInt8(ascii: "\\")) || json.dropFirst().starts(with: [0xEF, 0xBB, 0xBF]) { return false }
      // Without an escape there are no quotes or line ends within.
      let isQuoted = form == .csv && (json.count == 2 || has(UInt8(ascii: ",")))
      text.append(contentsOf: isQuoted ? json : UnsafeBufferPointer(rebasing: json.dropFirst().dropLast()))
    case UInt8(ascii: "n"): text.append(contentsOf: absent(form).utf8)
    case UInt8(ascii: "["), UInt8(ascii: "{"): return false
    default: text.append(contentsOf: json)
    }
    return true
  }

  private func cells(of record: Record) -> [String] {
    // An index avoids searching for many columns among many fields.
    let fields = Dictionary(record.fields.members.map { (ExactText($0), $1) }, uniquingKeysWith: { $1 })
    return columns.map { path in
      if let value = fields[ExactText(path.text)] { return cell(.value(value)) }
      return cell(fields[ExactText(path.field)] == nil && record.unloaded.isEmpty ? .absent : record.state(of: path))
    }
  }

  private func line(_ cells: [String]) -> String {
    cells.isEmpty ? "" : cells.joined(separator: form == .csv ? "," : "\t") + "\n"
  }

  /// The cell of a field that has no value.
  private static func absent(_ form: Form) -> String { form == .csv ? "" : "\\N" }

  private func cell(_ state: FieldState, isName: Bool = false) -> String {
    guard case .value(let value) = state, value != .null else { return Self.absent(form) }
    var text = value.plainText
    // Only a text can be taken for a formula: a number with a sign is a number.
    if presentation.isSpreadsheetSafe, value.text != nil { text = SpreadsheetText.marked(text) }
    switch form {
    case .csv: return quoted(presentation.isTerminal ? Escaping.text(text) : text, isName: isName)
    case .tsv: return SeparatedPrinter.escaped(text, isTerminal: presentation.isTerminal)
    }
  }

  private func quoted(_ text: String, isName: Bool) -> String {
    // A reader may take a semicolon or a tab of the header line for the separator.
    let needsQuotes = text.utf8.contains {
      $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D || isName && ($0 == 0x3B || $0 == 0x09)
    }
    // At the beginning of a file it would be taken for a byte-order mark.
    guard needsQuotes || text.isEmpty || text.unicodeScalars.first == "\u{FEFF}" else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result.unicodeScalars.append(scalar) }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// The text with tab, LF, CR and backslash written as `\t`, `\n`, `\r` and `\\`.
  static func escaped(_ text: String, isTerminal: Bool) -> String {
    var result = text
    if text.utf8.contains(where: { $0 == 0x5C || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
      result = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": result += "\\\\"
        case "\t": result += "\\t"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return isTerminal ? Escaping.text(result) : result
  }
}
