import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup

/// Renders plans as text for people, for all commands.
struct PlanRenderer {
  let plan: WritePlan
  /// The width of the terminal in columns; nil if there is none.
  var width: Int?

  /// The maximum number of lines of HTML shown of a field.
  private static let mostLines = 20

  /// The lines: the headline, and for each resource the number of writes, the first of them with their changes, their
  /// risks, and what the server also deletes.
  func lines() throws -> [String] {
    var lines = plan.headline.map { [$0] } ?? []
    for part in plan.parts where part.count > 0 || !part.remarks.isEmpty || plan.parts.count == 1 {
      lines.append(try head(part))
      lines += try changes(part)
      if let others = part.others { lines.append(others) }
    }
    return lines
  }

  /// The line for deleting all records of a collection in one request, with their number and the first of them.
  static func deletion(
    of total: Int, _ records: [Record], at place: WritePlace
  ) -> String {
    let target = place.target
    let words = WriteWords(resource: place.resource, blanking: place.images.blanking)
    let lines = records.compactMap { record in
      record.id.map { "  \(words.line(.delete(target.path, .one($0)), before: record.fields))" }
    }
    let rest = total > lines.count ? ["  and \((total - lines.count).grouped) more"] : []
    return (["delete \(target.description): \(counted(total, "record"))"] + lines + rest).joined(separator: "\n")
  }

  private func head(_ part: WritePlan.Part) throws -> String {
    let configuration = part.target.backend.configuration
    let label = configuration.label.map { " (\($0))" } ?? ""
    var counts = part.counts.map { "\($0.count.grouped) to \($0.verb)" } + part.remarks
    if part.count == 1, case .delete(_, .all, _) = try part.write(0).write { counts = ["every record to delete"] }
    let requests = counted(try self.requests(part), "request")
    let again = part.isRechecked && part.counts.contains { $0.verb != "create" }
    return "\(part.target.description)\(label): "
      + (counts.isEmpty ? "nothing to do" : counts.joined(separator: ", "))
      + (part.count > 0 ? "; \(requests)" : "") + (again ? " (each record is read again first)" : "")
      + " at \(part.target.backend.connection.address)"
  }

  /// The number of writing requests: a file sent separately takes one.
  private func requests(_ part: WritePlan.Part) throws -> Int {
    guard part.place.resource.fields.contains(where: { $0.file != nil }) else { return part.count }
    return try (0..<part.count).reduce(0) { sum, index in
      let write = try part.write(index).write
      let files = write.filesSentAlone(in: part.place.resource).count
      return sum + files + (write.id != nil && files > 0 && files == write.fieldNames.count ? 0 : 1)
    }
  }

  private func changes(_ part: WritePlan.Part) throws -> [String] {
    let words = WriteWords(resource: part.place.resource, blanking: part.place.images.blanking)
    let shown = min(plan.shown ?? part.count, part.count)
    var lines: [String] = []
    for index in 0..<shown {
      let planned = try part.write(index)
      lines.append("  \(words.line(planned.write, before: planned.before?.fields))")
      lines += planned.remarks.map { "    \($0)" }
      lines += words.html(of: planned.write).flatMap { html($0.text, of: $0.name, isAlone: part.count == 1) }
    }
    if part.count > shown { lines.append("  and \((part.count - shown).grouped) more") }
    guard part.isListed else { return lines }
    let writes = (0..<part.count).lazy.compactMap { try? part.write($0).write }
    if let gap = gap(in: writes, of: part) { lines.append(gap) }
    return lines
  }

  /// The HTML of a field as text: of a single write as `get` shows it, of several in one line.
  private func html(_ text: String, of field: String, isAlone: Bool) -> [String] {
    guard isAlone else { return ["    \(field): \(HTMLText.oneLine(text))"] }
    let content = HTMLText.lines(text, width: max(20, min(100, (width ?? 100) - 6)))
    let rest = content.count - Self.mostLines
    return ["    \(field):"] + content.prefix(Self.mostLines).map { $0.isEmpty ? "" : "      \($0)" }
      + (rest > 0 ? ["      and \(counted(rest, "more line"))"] : [])
  }

  /// Returns the risk of writes to listed records, as a line of the plan; nil if each is sent with the revision that
  /// was read, or is read again.
  private func gap(in writes: some Sequence<Write>, of part: WritePlan.Part) -> String? {
    let can = part.place.resource.capabilities
    guard !part.isRechecked else { return nil }
    let open = writes.first { write in
      guard let id = write.id else { return false }
      return !(write.isDeletion ? can.deletesAtRevision : can.hasRevisions)
        || part.place.client.revision(of: id, in: part.target.path) == nil
    }
    guard let open else { return nil }
    let effect =
      open.isDeletion
      ? "a record that changes after the list was read is deleted anyway"
      : "changes made by others after the list was read are overwritten"
    return can.operations.contains(.get) ? "\(effect); --recheck reads each record first" : effect
  }
}
