import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

struct RecordOutput {
  var format: OutputFormat
  let header: Bool
  /// True to wrap long cells; nil defers to the settings.
  var wraps: Bool?
  /// True to show HTML as source.
  var isRaw = false
  /// True to mark texts that a spreadsheet would execute.
  var isSpreadsheetSafe = false

  init(_ invocation: Invocation, _ ports: CommandContext, default other: OutputFormat) throws(UsageError) {
    let results = ports.results
    let chosen = try invocation.value(of: "output").map { text throws(UsageError) in try Settings.format(text) }
    let file = ports.row?.printsRecords == true ? invocation.resultFile : nil
    let usual = file.flatMap { RowFormat(ofFileNamed: $0.text) }?.output ?? results.format ?? other
    format = chosen ?? (usual == .table && results.display.expanded == .on ? .expanded : usual)
    header = !invocation.has("no-header")
    wraps = invocation.has("wrap") ? true : nil
    isRaw = invocation.has("raw")
  }

  init(format: OutputFormat, header: Bool) {
    self.format = format
    self.header = header
    wraps = nil
  }

  /// True if the format is for people, who get sentences where programs get records.
  var isForPeople: Bool { format == .table || format == .expanded }

  func presentation(
    _ ports: CommandContext, _ resource: ResourceDescription, columns: [FieldPath]? = nil,
    with relations: Relations? = nil,
    isSingle: Bool
  ) -> Presentation {
    guard let relations else {
      return presentation(ports, fields: resource.fields, columns: columns, isSingle: isSingle)
    }
    var presentation = presentation(
      ports, fields: resource.fields, columns: relations.columns(columns), isSingle: isSingle)
    presentation.related = relations.members.map { RelatedMember(name: $0.name, fields: $0.records.target.fields) }
    return presentation
  }

  func presentation(
    _ ports: CommandContext, fields: [FieldDescription], columns: [FieldPath]?, isSingle: Bool
  ) -> Presentation {
    let results = ports.results
    var presentation = Presentation(
      columns: columns, fields: fields, width: results.output.width, isTerminal: results.output.isTerminal,
      header: header, isSingle: isSingle)
    presentation.isSpreadsheetSafe = isSpreadsheetSafe
    // Escape sequences within JSON are only for a terminal.
    if results.output.isTerminal, format == .json || format == .ndjson { presentation.theme = results.theme }
    if isForPeople {
      presentation.theme = results.theme
      presentation.isExpandable = results.display.expanded != .off
      presentation.wraps = wraps ?? results.display.wraps
      presentation.isRaw = isRaw
    }
    return presentation
  }

  func print(_ record: Record, _ resource: ResourceDescription, _ ports: CommandContext) {
    print([record], resource, ports, isSingle: true)
  }

  /// Prints one record with a presentation; `isWhole` is false if its list was cut short.
  func print(_ record: Record, _ presentation: Presentation, _ ports: CommandContext, isWhole: Bool = true) {
    print([record], presentation, ports, isWhole: isWhole)
  }

  func print(_ records: [Record], _ presentation: Presentation, _ ports: CommandContext, isWhole: Bool = true) {
    let results = ports.results
    if let rows = results.rows {
      rows.add(records, isSingle: presentation.isSingle)
      return
    }
    results.page()
    var text = format.printer(presentation)
    text.add(records) { results.output.write(formatted: $0) }
    end(&text, results, isWhole: isWhole)
  }

  private func end(_ text: inout RecordText, _ results: Results, isWhole: Bool) {
    text.end(isWhole: isWhole) { results.output.write(formatted: $0) }
    text.notes.forEach(results.reporter.note)
    if text.isCut { results.result.isCut = true }
  }

  func print(_ records: RowBuffer, _ presentation: Presentation, _ ports: CommandContext) throws(CommandFailure) {
    let results = ports.results
    if results.rows == nil { results.page() }
    var text = format.printer(presentation)
    var batch: [Record] = []
    func hand() {
      if let rows = results.rows { rows.add(batch) } else { text.add(batch) { results.output.write(formatted: $0) } }
      batch = []
    }
    try records.forEach { record throws(CommandFailure) in
      batch.append(record)
      if batch.count == 100 { hand() }
      return !text.isCut && !results.output.isUnread
    }
    hand()
    if results.rows == nil { end(&text, results, isWhole: true) }
  }

  /// Prints one record when there is time, at the latest before the next output.
  func printLater(
    _ record: Record, _ resource: ResourceDescription, _ ports: CommandContext, columns: [FieldPath]? = nil,
    with relations: Relations? = nil
  ) {
    let presentation = presentation(ports, resource, columns: columns, with: relations, isSingle: true)
    let results = ports.results
    results.keep([record], presentation)
    results.result.count = 1
    if results.rows != nil { return print([record], presentation, ports) }
    results.page()
    results.output.writeLater { [format, errors = results.reporter.errors] in
      var text = format.printer(presentation)
      let whole = text.add([record]) + text.finish()
      for note in text.notes { errors.write("\(note)\n") }
      return whole
    }
  }

  func print(_ records: [Record], _ resource: ResourceDescription, _ ports: CommandContext, isSingle: Bool) {
    let presentation = presentation(ports, resource, isSingle: isSingle)
    ports.results.keep(records, presentation)
    print(records, presentation, ports)
  }
}
