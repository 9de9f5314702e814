import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let backends = Command(
    "backends", .connect, "List the configured backends; check, add, edit or remove one",
    alternatives: [
      [.word("check"), .one(.target)], [.word("add")] + add.arguments, [.word("edit"), .one(.backend)],
      [.word("remove"), .one(.backend)],
    ],
    effects: [.readsRecords, .writesRecords, .changesConfiguration, .makesFolders, .runsPrograms],
    readsOnly: ReadingForm("is read-only unless --try-writes, --update, add, edit or remove is given") { reading in
      !["add", "edit", "remove"].contains(reading.form.first?.word ?? "") && !reading.has("try-writes")
        && !reading.has("update")
    },
    options: add.options + BackendsOptions.ofCheck,
    details: [
      "backends check repeats the survey of add and reports how the service differs from its description; the status is then 1.",
      "It takes --try-writes, --max-requests and --yes. --update shows the changes to the description as a diff and applies them after",
      "confirmation; --dry-run only shows them. Comments, order and layout are kept. Hand-written lines change only to proved values.",
      "backends check BACKEND/RESOURCE examines that resource only. If only the document describes it, --update adds it to the",
      "description. For a resource below records, name one of them: backends check BACKEND/OWNER/ID/RESOURCE.",
      "backends add is the command add. backends edit opens a backend's entry in your own configuration in $VISUAL or $EDITOR, checks",
      "the result and saves it. backends remove removes a backend from your configuration, and its description if add wrote it.",
    ],
    examples: [
      Example(line: "backends", says: "the backends that are configured")
    ]
  ) { invocation, context in
    switch invocation.form {
    case "add": try await ServiceAddition(context).add(invocation)
    case "check":
      try invocation.take(only: ["try-writes", "max-requests", "yes", "update", "dry-run"], of: "backends check")
      try await DescriptionCheck(context).check(of: try invocation.one(.target), invocation)
    case "edit":
      try invocation.take(only: [], of: "backends edit")
      try OwnBackends(context).edit(try invocation.one(.backend).text)
    case "remove":
      try invocation.take(only: ["yes"], of: "backends remove")
      try OwnBackends(context).remove(try invocation.one(.backend).text)
    default:
      try invocation.take(only: [], of: "backends")
      try OwnBackends(context).list(invocation)
    }
  }
}

private enum BackendsOptions {
  static let ofCheck = [
    OptionSyntax("update", help: "propose changes to the description, and apply them after confirmation"),
    OptionSyntax("dry-run", help: "with --update: show the changes without making them"),
  ]
}

extension Invocation {
  /// Throws if an option is given that belongs to another form of the command.
  fileprivate func take(only names: [String], of form: String) throws(UsageError) {
    let shared = (SharedOptions.format + SharedOptions.redirection).map(\.name)
    for option in Command.add.options + BackendsOptions.ofCheck
    where has(option.name) && !(names + shared).contains(option.name) {
      throw UsageError("\(form) takes no --\(option.name)", hint: "help backends")
    }
  }
}

private struct OwnBackends: CommandPart {
  let context: CommandContext

  func list(_ invocation: Invocation) throws {
    let backends = targets.configuration.backends
    let users = backends.map { targets.user($0, run.console.environment) ?? "" }
    let hasUsers = users.contains { !$0.isEmpty }
    let hasLogins = backends.contains { $0.login != nil }
    var rows = [
      ["NAME", "PLUGIN", "ADDRESS", "RESOURCE"] + (hasLogins ? ["LOGIN"] : []) + (hasUsers ? ["USER"] : []) + [""]
    ]
    for (backend, user) in zip(backends, users) {
      let marks = [
        targets.current?.backend == backend.name ? "current" : nil, backend.isTrusted ? nil : "not trusted",
        targets.connectionMark(backend),
      ]
      rows.append(
        [backend.name, backend.plugin, backend.url, backend.resource ?? ""]
          + (hasLogins ? [backend.login?.kindName ?? ""] : []) + (hasUsers ? [user] : [])
          + [marks.compactMap(\.self).joined(separator: ", ")])
    }
    let records = backends.map { backend in
      Record(
        id: RecordID(backend.name),
        fields: Object(facts: [
          ("name", backend.name), ("plugin", backend.plugin), ("address", backend.url), ("resource", backend.resource),
          ("label", backend.label), ("login", backend.login?.kindName),
          ("user", targets.user(backend, run.console.environment)), ("connection", targets.connectionMark(backend)),
          ("readOnly", backend.isReadOnly), ("trusted", backend.isTrusted),
          ("current", targets.current?.backend == backend.name),
        ]))
    }
    try FactOutput(context).present(
      records, isSingle: false, invocation, text: Columns.table(rows, width: results.output.width))
    if records.isEmpty { tell("no backend: \(Targets.beginning)") }
  }

  /// Opens the backend's part of the user's configuration in an editor, and replaces it once it is valid.
  func edit(_ name: String) throws {
    try run.endRehearsal()
    try Restriction.current.check(changing: "the configuration")
    let own = try OwnConfiguration(targets.configuration, environment: run.console.environment)
    let edit = try BackendEdit(name, in: own, environment: run.console.environment)
    if try edit.begin() { note("\(edit.path) was kept from an earlier edit; continuing with it") }
    try Editor(context).open(edit.path)
    guard try edit.finish() else {
      return tell("\(name) was not changed")
    }
    let changed = try own.backend(name, environment: run.console.environment)
    tell("changed \(name) in \(edit.configuration)")
    if let changed { change(.replace(changed)) }
  }

  func remove(_ name: String) throws {
    try run.endRehearsal()
    try Restriction.current.check(changing: "the configuration")
    let files = try OwnConfiguration(targets.configuration, environment: run.console.environment).remove(name)
    tell("removed \(name): \(files.joined(separator: ", "))")
    change(.remove(name))
  }
}
