import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let tee = Command(
    "tee", .console, "Also copy all further results to a file", arguments: [.optional(.file(.written))],
    alternatives: [[.word("off")]], effects: [],
    options: SharedOptions.format,
    details: [
      "The copy is appended to the file, without colors. tee off ends it; tee without a file shows the current file. For a file named",
      "off, write ./off.",
    ],
    examples: [Example(line: "tee off", says: "stops copying")]
  ) { invocation, context in
    if invocation.form == "off" { return context.change(.tee(nil)) }
    guard let file = invocation.word(.file(.written)) else {
      let copy = context.results.output.copyPath
      try FactOutput(context).present(
        Object(facts: [("isCopied", copy != nil), ("file", copy)]), invocation,
        text: "\(copy.map { "results are copied to \($0)" } ?? "results are not copied")\n")
      return
    }
    if try ResultFile.isRehearsed(file, context.run.rehearsal) { return }
    context.change(.tee(try OutputCopy(addingTo: file.text)))
  }
}
