import BackendKit
import ConsoleOutput

/// The format of rejected rows: that of the input, so that they can be the input of another run.
struct RejectsForm: Sendable {
  /// The column of the reason, which is ignored in an input.
  static let reason = "import_error"

  var format = RowFormat.ndjson
  var columns: [String] = []
  /// True if texts have the marks of `--csv-safe`.
  var isMarked = false

  var beginning: [UInt8] {
    guard format.isText else { return [] }
    var table = table()
    return Array((table.begin([]) + table.finish()).utf8)
  }

  func line(_ fields: Object, _ reason: String?) -> [UInt8] {
    var fields = fields
    if let reason { fields[Self.reason] = .string(reason) }
    var bytes: [UInt8] = []
    guard format.isText else {
      if format == .yaml { bytes += "- ".utf8 }
      JSONWriter.write(.object(fields), to: &bytes)
      bytes.append(0x0A)
      return bytes
    }
    var table = table()
    _ = table.begin([])
    table.add(Record(id: nil, fields: fields), to: &bytes)
    return bytes
  }

  private func table() -> SeparatedPrinter {
    let names = columns.filter { $0 != Self.reason } + [Self.reason]
    var presentation = Presentation(columns: names.map { FieldPath($0) })
    presentation.isSpreadsheetSafe = isMarked
    return SeparatedPrinter(presentation, form: format == .tsv ? .tsv : .csv)
  }
}

extension Object {
  /// The row without the reason of an earlier rejection.
  func withoutReason(_ resource: ResourceDescription) -> Object {
    guard self[RejectsForm.reason] != nil, resource.field(named: RejectsForm.reason) == nil else { return self }
    var fields = self
    fields[RejectsForm.reason] = nil
    return fields
  }
}
