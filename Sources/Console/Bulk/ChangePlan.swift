import BackendClient
import BackendKit

/// What a command by condition is about to do, in words.
struct ChangePlan {
  /// So many records are shown of a plan.
  private static let shown = 5

  let verb: String
  let target: Target
  let resource: ResourceDescription
  let chosen: SelectedRecords
  let writes: [SelectedWrite]
  let edits: FieldEdits
  /// The records as they were read.
  private let before: [RecordID: Record]

  init(
    _ verb: String, of target: Target, _ resource: ResourceDescription, _ chosen: SelectedRecords,
    _ writes: [SelectedWrite], _ edits: FieldEdits = FieldEdits()
  ) {
    self.verb = verb
    self.target = target
    self.resource = resource
    self.chosen = chosen
    self.writes = writes
    self.edits = edits
    before = Dictionary(chosen.records.compactMap { record in record.id.map { ($0, record) } }) { first, _ in first }
  }

  /// What is asked, for example `Update 12 records of js/todos`.
  var question: String {
    "\(verb.prefix(1).uppercased())\(verb.dropFirst()) \(writes.count) \(writes.count == 1 ? "record" : "records") of \(target.description)"
  }

  /// The plan: how many, the first few with what changes, how many requests.
  var lines: [String] {
    let label = target.backend.configuration.label.map { " (\($0))" } ?? ""
    let same = chosen.records.count - writes.count
    var lines = [
      "\(verb) \(target.description)\(label): the condition holds for \(chosen.records.count) of \(chosen.scanned) records read"
        + (same > 0 ? ", \(same) of them \(same == 1 ? "is" : "are") so already" : "")
        + "; \(requests) at \(target.backend.connection.address)"
    ]
    for write in writes.prefix(Self.shown) { lines.append("  \(write.id)  \(change(of: before[write.id]))") }
    if writes.count > Self.shown { lines.append("  and \(writes.count - Self.shown) more") }
    return lines
  }

  private var requests: String {
    let count = writes.count * (chosen.isRechecked ? 2 : 1)
    return "\(count) \(count == 1 ? "request" : "requests")"
      + (chosen.isRechecked ? " (each record is read again first)" : "")
  }

  /// What is told of a record that was written.
  func done(_ id: RecordID) -> String {
    "updated \(target.path)/\(id): \(change(of: before[id]))"
  }

  private func change(of record: Record?) -> String {
    guard verb == "update" else { return short(.object(record?.fields ?? Object()), 70) }
    let changes = edits.changes.map { change -> String in
      let new: Value? = if case .set(_, let value) = change { value } else { nil }
      return "\(change.field): \(shown(record?.fields[change.field], change.field)) → \(shown(new, change.field))"
    }
    return (changes + edits.parts.map(\.description)).joined(separator: ", ")
  }

  private func shown(_ value: Value?, _ field: String) -> String {
    if resource.field(named: field)?.isSecret == true { return "…" }
    return value.map { short($0, 30) } ?? "absent"
  }

  private func short(_ value: Value, _ length: Int) -> String {
    let text = JSONWriter.compact(value)
    return text.count > length ? text.prefix(length) + "…" : text
  }
}

extension Session {
  /// Shows a plan and asks; throws where the answer is no. In production the number of records is the answer, at a terminal
  /// and as `--yes=N` in a script.
  func permit(_ plan: ChangePlan, _ invocation: Invocation, refused: String) async throws {
    try checkWritable(plan.target)
    try endRehearsal()
    let count = plan.writes.count
    if let given = invocation.value(of: "yes") {
      guard given == String(count) else {
        throw UsageError("--yes=\(given) does not fit: the plan is for \(count)", hint: refused)
      }
      return
    }
    let isProduction = plan.target.backend.configuration.isProduction
    if invocation.has("yes"), !isProduction { return }
    errors.write(ShownText(lines: plan.lines.joined(separator: "\n")))
    guard isInteractive, !invocation.has("yes"), let source = execution.source else {
      throw UsageError(
        "\(plan.question.prefix(1).lowercased())\(plan.question.dropFirst()) needs \(isProduction ? "--yes=\(count)" : "--yes")",
        hint: refused)
    }
    // The plan has to be on the screen before anybody answers.
    output.flush()
    progress?.end()
    errors.flush()
    let question = isProduction ? "type \(count) to go on: " : "[y/N] "
    let answer = await source.answer(to: "\(plan.question) at \(plan.target.backend.connection.address)? \(question)")
    let accepted = isProduction ? [String(count)] : ["y", "yes"]
    guard let answer, accepted.contains(answer.lowercased()) else { throw CommandFailure(.failure, refused) }
  }
}
