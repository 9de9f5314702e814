import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let again = Command(
    "again", .look, "Show the last result again in another format, without a request",
    arguments: [.optional(.format)],
    effects: [],
    options: SharedOptions.output + [
      OptionSyntax("fields", value: .fields, help: "fields to show, separated by commas")
    ],
    details: [
      "At a terminal the first \(LastResult.limits.interactive.grouped) records of a result are kept,"
        + " in a script \(LastResult.limits.script)."
    ],
    examples: [
      Example(line: "again json", says: "the records shown last, as JSON"),
      Example(line: "again --wrap", says: "the same table with nothing cut"),
    ]
  ) { invocation, context in
    let named = try invocation.word(.format).map { word throws(UsageError) in try Settings.format(word.text) }
    if named != nil, invocation.has("output") { throw UsageError("again takes one format, but two were given") }
    try context.run.endRehearsal()
    guard let last = context.run.lastResult else {
      throw UsageError("there is no result to show again", hint: "list and get show one")
    }
    var output = try RecordOutput(invocation, context, default: last.isSingle ? .expanded : .table)
    if let named { output.format = named }
    var presentation = output.presentation(
      context, fields: last.fields, columns: last.columns, isSingle: last.isSingle)
    presentation.related = last.related
    if let word = invocation.word(of: "fields") {
      presentation.columns = try ListOptions.fields(word, "--fields").map { FieldPath($0.text) }
    }
    output.print(last.records, presentation, context)
    if !last.isWhole {
      let count = last.records.count.grouped
      context.note("only the first \(count) records of the result were kept; the command itself shows all")
    }
  }
}
