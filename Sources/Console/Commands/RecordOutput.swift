import BackendClient
import BackendKit

/// How a command prints records: the format chosen, on the output of the session.
struct RecordOutput {
  var format: OutputFormat
  let header: Bool
  /// Whether long cells are wrapped; nil leaves it to the settings.
  var wraps: Bool?
  /// Whether HTML is shown as its source.
  var isRaw = false
  /// Whether texts are marked that a spreadsheet would run.
  var isSpreadsheetSafe = false

  init(_ invocation: Invocation, _ session: Session, default other: OutputFormat) throws(UsageError) {
    let chosen = try invocation.value(of: "output").map { text throws(UsageError) in try Settings.format(text) }
    let usual = session.settings.output ?? other
    format = chosen ?? (usual == .table && session.settings.display.expanded == .on ? .expanded : usual)
    header = !invocation.has("no-header")
    wraps = invocation.has("wrap") ? true : nil
    isRaw = invocation.has("raw")
  }

  init(format: OutputFormat, header: Bool) {
    self.format = format
    self.header = header
    wraps = nil
  }

  /// Whether the format is for people, who read a sentence where a program reads the record.
  var isForPeople: Bool { format == .table || format == .expanded }

  func presentation(
    _ session: Session, _ resource: ResourceDescription, columns: [FieldPath]? = nil, with relations: Relations? = nil,
    isSingle: Bool
  ) -> Presentation {
    guard let relations else {
      return presentation(session, fields: resource.fields, columns: columns, isSingle: isSingle)
    }
    var presentation = presentation(
      session, fields: resource.fields, columns: relations.columns(columns), isSingle: isSingle)
    presentation.related = relations.members.map { RelatedMember(name: $0.name, fields: $0.records.target.fields) }
    return presentation
  }

  func presentation(
    _ session: Session, fields: [FieldDescription], columns: [FieldPath]?, isSingle: Bool
  ) -> Presentation {
    var presentation = Presentation(
      columns: columns, fields: fields, width: session.output.width, isTerminal: session.output.isTerminal,
      header: header, isSingle: isSingle)
    presentation.isSpreadsheetSafe = isSpreadsheetSafe
    // Escape sequences within JSON are for eyes only, whatever else is asked for.
    if session.output.isTerminal, format == .json || format == .ndjson { presentation.theme = session.theme }
    if isForPeople {
      presentation.theme = session.theme
      presentation.isExpandable = session.settings.display.expanded != .off
      presentation.wraps = wraps ?? session.settings.display.wraps
      presentation.isRaw = isRaw
    }
    return presentation
  }

  /// Prints one record.
  func print(_ record: Record, _ resource: ResourceDescription, _ session: Session) {
    print([record], resource, session, isSingle: true)
  }

  /// Prints one record as it is presented.
  func print(_ record: Record, _ presentation: Presentation, _ session: Session) {
    print([record], presentation, session)
  }

  /// Prints records as they are presented.
  func print(_ records: [Record], _ presentation: Presentation, _ session: Session) {
    if let rows = session.execution.rows {
      rows.add(records, isSingle: presentation.isSingle)
      return
    }
    session.page()
    var text = format.printer(presentation)
    text.add(records) { session.output.write(formatted: $0) }
    text.end(isWhole: true) { session.output.write(formatted: $0) }
    text.notes.forEach(session.note)
    if text.isCut { session.cutResult() }
  }

  /// Prints one record when there is time for it, at the latest before anything else is printed.
  func printLater(
    _ record: Record, _ resource: ResourceDescription, _ session: Session, columns: [FieldPath]? = nil,
    with relations: Relations? = nil
  ) {
    let presentation = presentation(session, resource, columns: columns, with: relations, isSingle: true)
    session.keep([record], presentation)
    session.count(records: 1)
    if session.execution.rows != nil { return print([record], presentation, session) }
    session.page()
    session.output.writeLater { [format, errors = session.errors] in
      var text = format.printer(presentation)
      let whole = text.add([record]) + text.finish()
      for note in text.notes { errors.write("\(note)\n") }
      return whole
    }
  }

  /// Prints records that are all there.
  func print(_ records: [Record], _ resource: ResourceDescription, _ session: Session, isSingle: Bool) {
    let presentation = presentation(session, resource, isSingle: isSingle)
    session.keep(records, presentation)
    print(records, presentation, session)
  }
}

extension Session {
  /// The colors of results.
  var theme: Theme {
    let display = settings.display
    return Theme.chosen(
      display.theme, use: display.color, environment: context.environment, isTerminal: output.isTerminal)
  }
}
