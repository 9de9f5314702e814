import BackendKit

extension Transfer {
  /// So many steps are shown of a plan.
  private static let shown = 5

  /// How many steps there are of each kind.
  struct Counts {
    var creations: Int
    var updates: Int
    var deletions: Int
    var all: Int { creations + updates + deletions }
  }

  func counts() throws -> Counts {
    Counts(
      creations: try store.count(of: .create), updates: try store.count(of: .update),
      deletions: try store.count(of: .delete))
  }

  /// The plan in words: how many records, the first few with what changes, how many requests.
  func lines(_ counts: Counts, from label: String?) throws -> [String] {
    let here = target.backend.configuration.label.map { " (\($0))" } ?? ""
    var parts = [
      counts.creations > 0 ? "\(counts.creations.grouped) to create" : nil,
      counts.updates > 0 ? "\(counts.updates.grouped) to update" : nil,
      counts.deletions > 0 ? "\(counts.deletions.grouped) to delete" : nil,
    ].compactMap(\.self)
    parts += rest
    if parts.isEmpty { parts = ["nothing to do"] }
    let words = WriteWords(resource: resource)
    var lines = [
      "\(verb) \(origin)\(label.map { " (\($0))" } ?? "") to \(target.description)\(here): \(parts.joined(separator: ", "))"
        + (counts.all > 0 ? "; \(counted(counts.all, "request"))" : "")
        + (isRechecked && counts.updates + counts.deletions > 0 ? " (each record is read again first)" : "")
        + " at \(target.backend.connection.address)"
    ]
    for number in 1...max(1, min(Self.shown, counts.all)) where counts.all > 0 {
      let step = try store.step(number)
      lines.append("  \(words.line(write(of: step), before: step.before))")
    }
    if counts.all > Self.shown { lines.append("  and \((counts.all - Self.shown).grouped) more") }
    if counts.updates + counts.deletions > 0 {
      let writes = (1...counts.all).lazy.compactMap { try? store.step($0) }.map { write(of: $0) }
      if let gap = target.gap(in: writes, resource, isRechecked: isRechecked) { lines.append(gap) }
    }
    return lines
  }

  /// The records of the source that need no write.
  var rest: [String] {
    [
      unchanged > 0 ? "\(unchanged.grouped) unchanged" : nil,
      skipped > 0 ? "\(skipped.grouped) skipped (the key is there already)" : nil,
      TableCells.leftAlone(leftAlone),
    ].compactMap(\.self)
  }

  /// Shows the plan and asks where a question is due: before anything is deleted, and before records leave or enter a production
  /// system. Into production the number of requests is the answer.
  static func permit(
    _ parts: [(transfer: Transfer, counts: Counts)], _ invocation: Invocation, from source: BackendConfiguration?
  ) async throws {
    guard let first = parts.first?.transfer else { return }
    let (session, target, verb) = (first.session, first.target, first.verb)
    let all = parts.reduce(0) { $0 + $1.counts.all }
    let configuration = target.backend.configuration
    let leavesProduction = source?.isProduction == true && source?.label != configuration.label
    let isAsked = configuration.isProduction || leavesProduction || parts.contains { $0.counts.deletions > 0 }
    let lines = try parts.flatMap { try $0.transfer.lines($0.counts, from: source?.label) }
    guard isAsked else {
      try session.checkWritable(target)
      if let given = invocation.value(of: "yes"), given != String(all) {
        throw UsageError("--yes=\(given) does not fit: the plan is for \(all)", hint: "nothing was changed")
      }
      if session.isInteractive {
        // What is about to be done is on the screen before it is.
        session.errors.write(ShownText(lines: lines.joined(separator: "\n")))
        session.progress?.end()
        session.errors.flush()
      }
      return
    }
    let places = parts.map { $0.transfer.target.description }.joined(separator: ", ")
    try await session.permit(
      "\(verb.prefix(1).uppercased())\(verb.dropFirst()) \(all) records to \(places)", count: all,
      lines, target, invocation, refused: "nothing was changed")
  }
}
