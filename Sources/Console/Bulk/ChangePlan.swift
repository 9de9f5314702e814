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
  let writes: [PlannedWrite]

  init(
    _ verb: String, of target: Target, _ resource: ResourceDescription, _ chosen: SelectedRecords,
    _ writes: [PlannedWrite]
  ) {
    self.verb = verb
    self.target = target
    self.resource = resource
    self.chosen = chosen
    self.writes = writes
  }

  /// What is asked, for example `Update 12 records of js/todos`.
  var question: String {
    "\(verb.prefix(1).uppercased())\(verb.dropFirst()) \(counted(writes.count, "record")) of \(target.description)"
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
    let words = WriteWords(resource: resource)
    for write in writes.prefix(Self.shown) {
      lines.append("  \(write)  \(words.change(by: write.write, before: write.before?.fields))")
    }
    if writes.count > Self.shown { lines.append("  and \(writes.count - Self.shown) more") }
    if let gap = target.gap(in: writes.lazy.map(\.write), resource, isRechecked: chosen.isRechecked) {
      lines.append(gap)
    }
    return lines
  }

  private var requests: String {
    let count = writes.count * (chosen.isRechecked ? 2 : 1)
    return counted(count, "request")
      + (chosen.isRechecked ? " (each record is read again first)" : "")
  }
}

extension Session {
  /// Shows a plan and asks; throws where the answer is no.
  func permit(_ plan: ChangePlan, _ invocation: Invocation, refused: String) async throws {
    try await permit(
      plan.question, count: plan.writes.count, plan.lines, plan.target, invocation, refused: refused)
  }

  /// Shows what is planned and asks; throws where the answer is no. In production the number is the answer, at a terminal and as
  /// `--yes=N` in a script.
  func permit(
    _ question: String, count: Int, _ lines: [String], _ target: Target, _ invocation: Invocation, refused: String
  ) async throws {
    try checkWritable(target)
    try endRehearsal()
    if let given = invocation.value(of: "yes") {
      guard given == String(count) else {
        throw UsageError("--yes=\(given) does not fit: the plan is for \(count)", hint: refused)
      }
      return
    }
    let isProduction = target.backend.configuration.isProduction
    if invocation.has("yes"), !isProduction { return }
    if !lines.isEmpty { errors.write(ShownText(lines: lines.joined(separator: "\n"))) }
    guard canAsk, !invocation.has("yes") else {
      throw UsageError(
        "\(question.prefix(1).lowercased())\(question.dropFirst()) needs \(isProduction ? "--yes=\(count)" : "--yes")",
        hint: refused)
    }
    let place: ShownText = "\(question) at \(target.backend.connection.address)?"
    let accepted =
      isProduction
      ? await answer(to: place + " type \(count) to go on: ") == String(count) : await isYes(place) == true
    guard accepted else { throw CommandFailure(.failure, refused) }
  }
}
