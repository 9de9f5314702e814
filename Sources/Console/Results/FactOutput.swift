import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension SharedOptions {
  /// The format options of commands whose result is not a list of records.
  static let format = [
    OptionSyntax("output", value: .format, help: "format of the result", short: "o"),
    OptionSyntax("no-header", help: "csv and tsv without the header line"),
  ]
}

/// Prints results that are not records of a backend: a text for people, records or a value for programs.
struct FactOutput: CommandPart {
  let context: CommandContext

  /// Prints a text for people, and records for programs, always as one document.
  func present(
    _ records: [Record], isSingle: Bool, _ invocation: Invocation, text: @autoclosure () -> EscapedText
  ) throws(UsageError) {
    let output = try RecordOutput(invocation, context, default: .table)
    if output.isForPeople {
      results.output.write(text().fitted(to: results.output.width))
    } else {
      output.print(
        records, output.presentation(context, fields: [], columns: nil, isSingle: isSingle), context)
    }
  }

  func present(
    _ fields: Object, id: String? = nil, _ invocation: Invocation, text: @autoclosure () -> EscapedText
  ) throws(UsageError) {
    try present([Record(id: id.map { RecordID($0) }, fields: fields)], isSingle: true, invocation, text: text())
  }

  /// Prints a value: its text for people, the value for programs, as a record if it is an object. A file or another
  /// program gets a text byte for byte, so that it can be read back unchanged.
  func present(_ value: Value, _ invocation: Invocation) throws(UsageError) {
    let output = try RecordOutput(invocation, context, default: .table)
    switch (output.format, value) {
    case (.table, _), (.expanded, _), (.id, _):
      let text = Scope.text(value)
      switch results.destination {
      case .output: results.output.write("\(shownText(value))\n")
      // For a program, or a user who requested the value as it is.
      case .addition: results.output.write(formatted: text + "\n")
      case .file, .program: results.output.write(formatted: text)
      }
    case (_, .object(let fields)): try present(fields, invocation, text: "")
    case (.json, _): results.output.write(formatted: shown(JSONWriter.indented(value)) + "\n")
    case (.ndjson, _): results.output.write(formatted: shown(JSONWriter.compact(value)) + "\n")
    case (.yaml, _), (.csv, _), (.tsv, _), (.markdown, _): try present(Object([("value", value)]), invocation, text: "")
    }
  }

  /// A value for people. Lists and objects remain JSON whatever a text in them contains.
  private func shownText(_ value: Value) -> EscapedText {
    switch value {
    case .array, .object: EscapedText(json: value)
    case .null, .bool, .number, .string: EscapedText(Scope.text(value))
    }
  }

  /// A JSON document, escaped only for a terminal.
  private func shown(_ document: String) -> String { results.output.isTerminal ? Escaping.json(document) : document }

  /// Prints a number: alone, or below its name in formats with columns.
  func present(_ count: Int, named name: String, _ invocation: Invocation) throws(UsageError) {
    let output = try RecordOutput(invocation, context, default: .table)
    switch output.format {
    case .csv, .tsv, .markdown: try present(Object(facts: [(name, count)]), invocation, text: "")
    case .yaml: results.output.write("---\n\(count)\n")
    case .table, .expanded, .json, .ndjson, .id: results.output.write("\(count)\n")
    }
  }
}
