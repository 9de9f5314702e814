import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let set = Command(
    "set", .console, "Change a setting, or an option of a backend, for this session",
    arguments: [.one(.settingName), .one(.settingValue(of: nil))], effects: .changesSettings,
    details: Settings.allRows.map { "\($0.name) \($0.value.name): \($0.help)" } + [
      "BACKEND.OPTION VALUE: an option of a plugin"
    ],
    examples: [
      Example(line: "set output json", says: "results as JSON"),
      Example(line: "set intranet.apiVersion 1.0", says: "another API version"),
    ]
  ) { invocation, context in
    let name = try invocation.one(.settingName).text
    let value = try invocation.one(.settingValue(of: name)).text
    // An address has dots, too.
    guard let dot = name.lastIndex(of: ".") else {
      var settings = context.run.settings
      try settings.set(name, to: value)
      // The pager is a shell command that runs later, when its origin is no longer apparent.
      if case .command = settings.display.pager, settings.display.pager != context.run.settings.display.pager {
        try context.run.console.checkShell("the setting pager", isInteractive: context.run.isInteractive)
      }
      return context.change(.set(settings))
    }
    let backend = String(name[..<dot])
    let option = String(name[name.index(after: dot)...])
    let open = try context.targets.open(context.targets.adHocBackend(backend) ?? backend)
    guard let row = open.plugin.options.first(where: { $0.name == option }) else {
      throw open.noOption(option)
    }
    guard row.isSwitchable else {
      throw UsageError("\(name) cannot be changed within a session", hint: "change it in the configuration")
    }
    let changed = row.kind == .text ? Value.string(value) : row.value(of: value)
    context.change(.reopen(try OpenBackend(open, setting: option, to: changed)))
  }

  static let show = Command(
    "show", .console, "Show the settings, or one", arguments: [.optional(.settingName)], effects: [],
    options: SharedOptions.format,
    details: ["show @ shows all variables, show @VARIABLE one of them, and show @VARIABLE.FIELD a part of it."],
    examples: [
      Example(line: "show perPage", says: "one setting"), Example(line: "show @", says: "all variables that were set"),
    ]
  ) { invocation, context in
    if let word = invocation.word(.settingName) {
      let name = word.text
      if name.hasPrefix("@") {
        try name == "@"
          ? SettingOutput(context).showVariables(invocation) : SettingOutput(context).show(variable: word, invocation)
        return
      }
      let value = try SettingOutput(context).shown(name)
      try FactOutput(context).present(
        Object(facts: [("name", name), ("value", value)]), id: name, invocation,
        text: "\(value)\n")
      return
    }
    context.page()
    var rows = Settings.allRows.map { [$0.name, context.run.settings.value(of: $0.name) ?? "", $0.help] }
    if let current = context.targets.current {
      let backend = try context.targets.open(current.backend)
      for option in backend.plugin.options where option.isSwitchable {
        let name = "\(current.backend).\(option.name)"
        rows.append([name, try SettingOutput(context).shown(name), option.help])
      }
    }
    let records = rows.map { row in
      Record(
        id: RecordID(row[0]),
        fields: Object(facts: [("name", row[0]), ("value", row[1]), ("help", row[2])]))
    }
    try FactOutput(context).present(records, isSingle: false, invocation, text: Columns.text(rows))
  }
}

extension OptionDescription {
  /// A word as a value of the option's type. If it has none, it stays text, which the check refuses.
  func value(of word: String) -> Value {
    switch kind {
    case .integer: Number(word).map { .number($0) } ?? .string(word)
    case .boolean where word == "true" || word == "false": .bool(word == "true")
    default: .string(word)
    }
  }
}

extension OpenBackend {
  fileprivate func noOption(_ option: String) -> UsageError {
    let name = configuration.name
    let names = plugin.options.filter(\.isSwitchable).map(\.name)
    return UsageError(
      "unknown option \"\(option)\" of \(name)",
      hint: SpellingSuggestion.suggestion(for: option, among: names).map { "did you mean \(name).\($0)?" }
        ?? (names.isEmpty ? "none of its options can be changed here" : "options: \(names.joined(separator: ", "))"))
  }

}

private struct SettingOutput: CommandPart {
  let context: CommandContext

  /// Shows the variables: one row each, or the values themselves to programs.
  func showVariables(_ invocation: Invocation) throws {
    let variables = run.scope.names.filter { !Scope.reserved.contains($0) }.compactMap { name in
      if case .known(let result)? = run.scope.binding(of: name) { (name, result) } else { nil }
    }
    page()
    try FactOutput(context).present(
      variables.map { name, result in
        Record(id: RecordID(name), fields: Object(facts: [("name", name), ("value", result.value)]))
      },
      isSingle: false, invocation, text: Columns.text(variables.map { ["@" + $0, $1.summary] }))
    if variables.isEmpty, run.rehearsal == nil, run.isInteractive { tell("no variable is set (set @NAME VALUE)") }
  }

  /// Shows a variable or a part of it: as text, or the value itself to programs.
  func show(variable word: Word, _ invocation: Invocation) throws {
    let bytes = Array(("$" + word.text.dropFirst()).utf8)
    var scanner = ReferenceScanner(bytes[...], at: 0)
    guard let reference = try scanner.next(column: word.column), scanner.at == bytes.count else {
      throw UsageError(
        "\(word.text) is not a variable name", hint: "show @name, show @name.field, show @name[0]", column: word.column)
    }
    switch try run.scope.value(of: reference) {
    case .known(.records(let records, let count, let isSingle))?:
      if try RecordOutput(invocation, context, default: .table).isForPeople {
        try FactOutput(context).present(
          ScriptResult.records(records, count: count, isSingle: isSingle).value, invocation)
      } else {
        try FactOutput(context).present(records, isSingle: isSingle, invocation, text: "")
      }
    case .known(.value(let value))?: try FactOutput(context).present(value, invocation)
    case .unknown?: break
    case nil:
      let names = run.scope.names.filter { !Scope.reserved.contains($0) }
      guard reference.steps.isEmpty, Int(reference.name) == nil, !names.isEmpty else {
        throw run.scope.unset(reference)
      }
      throw UsageError(
        "\(word.text) is not set", hint: "variables: \(names.joined(separator: ", "))", column: word.column)
    }
  }

  func shown(_ name: String) throws -> String {
    if let value = run.settings.value(of: name) { return value }
    guard let dot = name.lastIndex(of: ".") else {
      // Throws the error for an unknown name.
      var settings = run.settings
      try settings.set(name, to: "")
      return ""
    }
    let place = String(name[..<dot])
    let backend = try targets.open(targets.adHocBackend(place) ?? place)
    let option = String(name[name.index(after: dot)...])
    guard let row = backend.plugin.options.first(where: { $0.name == option }) else {
      throw backend.noOption(option)
    }
    if row.isSecret { return "(secret)" }
    return backend.options[option]?.plainText ?? ""
  }
}

extension ScriptResult {
  fileprivate var summary: String {
    switch self {
    case .records(_, let count, false): counted(count, "record")
    default: Scope.text(value).shortened(to: 100)
    }
  }
}
