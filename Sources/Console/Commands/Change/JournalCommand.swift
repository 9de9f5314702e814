import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files

extension Command {
  static let journal = Command(
    "journal", .change, "Show the journal of writes, or settle those whose outcome is unknown",
    arguments: [.any(JournalEntry.condition)],
    alternatives: [
      [.word("show"), .one(JournalEntry.place)], [.word("check"), .any(JournalEntry.place)],
      [.word("dismiss"), .some(JournalEntry.place)], [.word("dismiss"), .option("all")],
    ],
    effects: [.readsRecords, .usesJournal],
    options: [
      OptionSyntax("where", value: .text, help: "condition with and, or, not, in, is null, is missing"),
      OptionSyntax(
        "since", value: .free("TIME"), help: "entries since TIME: 10:30, 2026-11-22 or 2026-11-22T10:30"),
      OptionSyntax("limit", value: .count(from: 0), help: "maximum entries to show"),
      OptionSyntax("all", help: "every entry"),
      OptionSyntax("fields", value: .free("FIELDS"), help: "fields to show, separated by commas"),
    ] + SharedOptions.output,
    details: [
      "Each write gets an entry before it is sent: sending, and afterwards done, failed, unknown or notSent. The newest entry comes",
      "first. journal shows one page; --all, --limit, --to or a pipe gets more.",
      "show prints one entry in full: the fields sent, and the record before and after, if it was read. [blanked] is a secret, which",
      "is not stored. check reads the records of writes whose outcome is unknown, and records whether they were done.",
      "dismiss stops the reminders of writes that cannot be settled, such as those of removed backends; dismiss --all stops all.",
    ],
    examples: [
      Example(line: "journal backend=todolist outcome=done", says: "the latest successful writes to a backend"),
      Example(
        line: "journal --since 10:30 --to writes.ndjson -o ndjson", says: "all writes since half past ten, in a file"),
    ]
  ) { invocation, context in
    try context.run.endRehearsal()
    switch invocation.form {
    case "show": try JournalView(context).show(invocation)
    case "check":
      try await JournalCheck(context).check(invocation)
      JournalEntries(context).openWrites()
    case "dismiss":
      try JournalCheck(context).dismiss(invocation)
      JournalEntries(context).openWrites()
    default: try JournalView(context).list(invocation)
    }
  }
}

private struct JournalView: CommandPart {
  let context: CommandContext

  func show(_ invocation: Invocation) throws {
    guard let entry = try JournalEntries(context).entries(invocation).first else { return }
    let output = try RecordOutput(invocation, context, default: .expanded)
    let presentation = output.presentation(context, fields: [], columns: nil, isSingle: true)
    keep([entry.record], presentation)
    output.print(entry.record, presentation, context)
  }

  func list(_ invocation: Invocation) throws {
    let filters = try entryFilters(invocation)
    let since = try invocation.word(of: "since").map { word throws(UsageError) in try JournalTime.milliseconds(word) }
    let range = try ListRange(invocation, context)
    let output = try RecordOutput(invocation, context, default: .table)
    var columns = output.isForPeople ? JournalEntry.columns.map { FieldPath($0) } : nil
    if let word = invocation.word(of: "fields") {
      columns = try ListOptions.fields(word, "--fields").map { FieldPath($0.text) }
    }
    var presentation = output.presentation(context, fields: [], columns: columns, isSingle: false)
    if presentation.width != nil { presentation.clocks = ["time", "ended"] }
    page()
    let results = results
    let run = RecordStream(output, presentation, results)
    var isMore = false
    let limit = range.limit ?? .max
    try JournalEntries(context).backwards { database, before, limit throws(FileFailure) in
      try database.entries(before: before, limit: limit)
    } take: { entries in
      if Interruption.isDue { return false }
      for entry in entries {
        if let since, entry.began < since { return false }
        let record = entry.record
        guard filters.allSatisfy({ QueryRules.matches($0, record.fields) }) else { continue }
        isMore = run.count >= limit
        if isMore || run.take([record]) == .enough { return false }
      }
      return true
    }
    run.end(isWhole: !Interruption.isDue).forEach(note)
    count(records: run.count)
    run.keep(in: results, presentation)
    if isMore, !range.isChosen { note("the last \(run.count) entries; --all or a higher --limit shows more") }
  }

  private func entryFilters(_ invocation: Invocation) throws -> [Filter] {
    let filters = try invocation.filters(JournalEntry.condition)
    for path in filters.flatMap(\.paths) where !JournalEntry.members.contains(path.field) {
      throw UsageError(
        "unknown field \"\(path.field)\" in the journal", path.field, among: JournalEntry.members,
        else: "fields: \(JournalEntry.members.joined(separator: ", "))")
    }
    return filters
  }
}
