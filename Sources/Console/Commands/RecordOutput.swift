import BackendClient
import BackendKit

/// How a command prints records: the format chosen, on the output of the session.
struct RecordOutput {
  let format: OutputFormat
  let header: Bool

  init(_ invocation: Invocation, _ session: Session, standard: OutputFormat) throws(UsageError) {
    let chosen = try invocation.value(of: "output").map { text throws(UsageError) in try Settings.format(text) }
    format = chosen ?? session.settings.output ?? standard
    header = !invocation.has("no-header")
  }

  init(format: OutputFormat, header: Bool) {
    self.format = format
    self.header = header
  }

  /// Whether the format is for people, who read a sentence where a program reads the record.
  var isForPeople: Bool { format == .table || format == .expanded }

  func presentation(
    _ session: Session, _ resource: ResourceDescription, columns: [FieldPath]? = nil, isSingle: Bool
  ) -> Presentation {
    Presentation(
      columns: columns, fields: resource.fields, width: session.output.width, isTerminal: session.output.isTerminal,
      header: header, isSingle: isSingle)
  }

  /// Prints one record.
  func print(_ record: Record, _ resource: ResourceDescription, _ session: Session) {
    print([record], resource, session, isSingle: true)
  }

  /// Prints one record when there is time for it, at the latest before anything else is printed.
  func printLater(_ record: Record, _ resource: ResourceDescription, _ session: Session) {
    let presentation = presentation(session, resource, isSingle: true)
    session.output.writeLater { [format, errors = session.errors] in
      var printer = format.printer(presentation)
      let text = printer.add([record]) + printer.finish()
      for note in printer.notes { errors.write(Visible.text(note) + "\n") }
      return text
    }
  }

  /// Prints records that are all there.
  func print(_ records: [Record], _ resource: ResourceDescription, _ session: Session, isSingle: Bool) {
    var printer = format.printer(presentation(session, resource, isSingle: isSingle))
    session.output.write(printer.add(records))
    session.output.write(printer.finish())
    printer.notes.forEach(session.note)
  }
}
