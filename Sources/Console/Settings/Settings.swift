import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

struct Settings: Sendable {
  struct Row: Sendable {
    let name: String
    let value: WordKind
    let help: String
  }

  static let rows = [
    Row(
      name: "output", value: .oneOf(OutputFormat.allCases.map(\.rawValue) + ["auto"]),
      help: "format of results; auto is table for lists and expanded for one record"),
    Row(name: "perPage", value: .number, help: "records per page"),
    Row(name: "maxScan", value: .number, help: "maximum records to read for local filters and sorts"),
    Row(
      name: "readAhead", value: .either([.oneOf(["auto"]), .number]),
      help: "number of reads a script may prefetch; auto is 8, or 1 for production"),
    Row(name: "prompt", value: .text, help: "the prompt; see help prompt"),
    Row(name: "onError", value: .oneOf(["stop", "continue"]), help: "what a script does after a command fails"),
    Row(
      name: "strict", value: .oneOf(["on", "off"]),
      help: "fail if a write is not stored or reports no identifier, or if a field is unknown"),
    Row(
      name: "journal", value: .oneOf(["auto", "full"]),
      help: "full reads each record before and after writing it, for undo; auto follows the configuration"),
    Row(
      name: "errors", value: .oneOf(["text", "json"]),
      help: "format of standard error: sentences, or one JSON line each"),
    Row(
      name: "trace", value: .oneOf(["on", "off", "curl"]),
      help:
        "print each request attempt and its response to standard error, without secrets; curl prints requests as commands of curl"
    ),
  ]

  /// The rows, including settings only for a terminal.
  static let allRows =
    rows
    + DisplaySettings.choices.map { choice in
      Row(
        name: choice.name, value: .either([.oneOf(choice.words)] + [choice.other].compactMap(\.self)), help: choice.help
      )
    }

  var output: OutputFormat?
  var perPage = 20
  var maxScan = 10_000
  /// The number of consecutive reads of a script that are sent ahead; nil to choose by backend.
  var readAhead: Int?
  var continuesOnError = false
  /// True if more counts as a failure: a write that the server does not keep, an identifier that it does not report, an
  /// unknown field.
  var isStrict = false
  /// True if each record is read before and after it is written, regardless of the configuration.
  var hasFullJournal = false
  var errors = ErrorForm.text
  var trace = TraceForm.off
  var prompt = Prompt.defaultFormat
  var display = DisplaySettings()

  init(_ object: Object = Object()) throws(UsageError) {
    for (name, value) in object.members { try set(name, to: value.plainText) }
  }

  func value(of name: String) -> String? {
    switch name {
    case "output": output?.rawValue ?? "auto"
    case "perPage": String(perPage)
    case "maxScan": String(maxScan)
    case "readAhead": readAhead.map(String.init) ?? "auto"
    case "prompt": prompt
    case "onError": continuesOnError ? "continue" : "stop"
    case "strict": isStrict ? "on" : "off"
    case "journal": hasFullJournal ? "full" : "auto"
    case "errors": errors.rawValue
    case "trace": trace.rawValue
    default: display.value(of: name)
    }
  }

  /// Changes a setting. Throws for an unknown name or value.
  mutating func set(_ name: String, to text: String) throws(UsageError) {
    switch name {
    case "output" where text == "auto": output = nil
    case "output": output = try Self.format(text)
    case "perPage": perPage = try WordKind.count(text, "perPage", minimum: 1)
    case "maxScan": maxScan = try WordKind.count(text, "maxScan", minimum: 0)
    case "readAhead" where text == "auto": readAhead = nil
    case "readAhead": readAhead = try WordKind.count(text, "readAhead", minimum: 0, maximum: Self.mostReadAhead)
    case "prompt": prompt = try Prompt.checked(text)
    case "onError" where text == "stop" || text == "continue": continuesOnError = text == "continue"
    case "onError": throw UsageError("onError is stop or continue, not \"\(text)\"")
    case "strict" where text == "on" || text == "off": isStrict = text == "on"
    case "strict": throw UsageError("strict is on or off, not \"\(text)\"")
    case "journal" where text == "auto" || text == "full": hasFullJournal = text == "full"
    case "journal": throw UsageError("journal is auto or full, not \"\(text)\"")
    case "errors":
      guard let form = ErrorForm(rawValue: text) else {
        throw UsageError("errors is text or json, not \"\(text)\"")
      }
      errors = form
    case "trace":
      guard let form = TraceForm(rawValue: text) else { throw UsageError("trace is on, off or curl, not \"\(text)\"") }
      trace = form
    default:
      if try display.set(name, to: text) { return }
      throw UsageError(
        "unknown setting \"\(name)\"", name, among: Self.allRows.map(\.name),
        else: "settings: \(Self.rows.map(\.name).joined(separator: ", ")), BACKEND.OPTION")
    }
  }

  static func format(_ text: String, besides others: [String] = []) throws(UsageError) -> OutputFormat {
    guard let format = OutputFormat(rawValue: text) else {
      let names = OutputFormat.allCases.map(\.rawValue) + others
      throw UsageError(
        "unknown format \"\(text)\"", text, among: names, else: "formats: \(names.joined(separator: ", "))")
    }
    return format
  }

  static let mostReadAhead = ConsoleSetting.mostJobs
}
