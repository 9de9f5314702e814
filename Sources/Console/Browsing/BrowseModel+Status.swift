import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleScreen
import ConsoleSystem

extension BrowseModel {
  /// The row of messages and of what is typed, and the column of the cursor in it.
  var statusRow: (spans: [ScreenSpan], cursor: Int?) {
    switch mode {
    case .typing(let line, .filter): typing("/", line)
    case .typing(let line, .value):
      typing("\(path?.text ?? "")\(marks.isEmpty ? "" : " of \(counted(marks.count, "record"))"): ", line)
    case .typing(let line, .file): typing("plan file: ", line)
    case .choice(let values, let place):
      (
        [ScreenSpan("\(path?.text ?? ""):", .name)]
          + values.indices.flatMap { index in
            [ScreenSpan(" "), ScreenSpan("\(values[index].plainText)", isSelected: index == place)]
          }, nil
      )
    case .leaving:
      ([ScreenSpan("s send  k keep  d drop  Escape stay: \(unsent)", .alarm)], nil)
    case .rows, .columns, .text: ([status], nil)
    }
  }

  private var unsent: EscapedText {
    let here = counted(edits.count, "edit")
    guard afterwards == .leave, editsBefore > 0 else { return "\(here) not sent" }
    return "\(here) here, \(editsBefore.grouped) in lists before"
  }

  private func typing(_ prompt: EscapedText, _ line: InputLine) -> (spans: [ScreenSpan], cursor: Int?) {
    let width = DisplayWidth.columns(of: prompt.text)
    let room = max(1, size.columns - width - 1)
    // A refused value stays to be corrected, and a wrong condition may still become a right one.
    var note = message.map { ScreenSpan($0, .alarm) }
    if note == nil, case .typing(_, .filter) = mode { note = listStatus }
    let shown = line.shown(in: note == nil ? room : max(10, room / 2))
    let spans = [ScreenSpan(prompt, .name), ScreenSpan(shown.text)]
    return (spans + (note.map { [ScreenSpan("  "), $0] } ?? []), width + shown.cursor)
  }

  private var status: ScreenSpan {
    if let message { return ScreenSpan(message) }
    let isNew = edits.new.indices.contains(row)
    let reason = isNew ? edits.new[row].obstacle : edits[record(ofRow: row)?.id]?.obstacle
    if let reason { return ScreenSpan("\(reason)", .alarm) }
    return listStatus
  }

  /// The state of the list: whether it is still read, why it ended, and who filters and sorts.
  private var listStatus: ScreenSpan {
    if isReadingAll { return ScreenSpan("reading: \(counted(list.count, "record")) so far; Escape stops") }
    if let stale = lists.stale { return ScreenSpan(stale) }
    let work = work.map { "; \($0)" } ?? ""
    switch list.end {
    case .failure(let error):
      return ScreenSpan("\(error.message)\(error.hint.map { " (\($0))" } ?? "")", .alarm)
    case .success(let summary):
      if summary.isCut {
        return ScreenSpan(
          "only \(counted(summary.scanned, "record")) were read to filter or sort locally; --max-scan reads more",
          .alarm)
      }
      if let doubt = summary.endDoubt { return ScreenSpan("\(list.count.grouped) records\(work); \(doubt)", .alarm) }
      if let doubt { return ScreenSpan("\(doubt)", .alarm) }
      let scanned = summary.doneLocally.isEmpty ? "" : " of \(summary.scanned.grouped) read"
      return ScreenSpan("\(counted(list.count, "record"))\(scanned)\(work)")
    case nil:
      if let doubt { return ScreenSpan("\(doubt)", .alarm) }
      return ScreenSpan(list.count == 0 ? "reading …" : "\(work.dropFirst(2))")
    }
  }

  /// A note on the conditions that were typed; one that is wrong was refused when it was typed.
  private var doubt: String? {
    do throws(UsageError) { return try BrowseFilter(filter, of: resource).notes.first } catch { return nil }
  }

  /// Who filters and sorts.
  private var work: String? {
    guard let plan = list.plan else { return nil }
    let query = list.request.query
    var parts = [ListCondition.all(of: query, plan).words].compactMap(\.self)
    if !query.sort.isEmpty {
      parts.append(plan.sort == .exact ? "sorted by the service" : "sorted locally")
    } else if sort == [] {
      parts.append("in the order of the service")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The counts of edits and marks, and the most important keys; while something else takes the keys, what they do.
  var lastLine: ScreenSpan {
    switch mode {
    case .text: return ScreenSpan("arrows scroll, Escape goes back", .mark)
    case .typing(_, .filter): return ScreenSpan("Enter keeps the filter, Escape shows all", .mark)
    case .typing(_, .value): return ScreenSpan("Enter sets the value, Escape leaves it", .mark)
    case .choice: return ScreenSpan("arrows choose, Enter sets the value, Escape leaves it", .mark)
    case .typing(_, .file): return ScreenSpan("Enter writes the plan, Escape goes back", .mark)
    case .leaving: return ScreenSpan("k writes a plan file, which apply sends", .mark)
    case .rows, .columns: break
    }
    var parts: [EscapedText] = []
    if !edits.isEmpty {
      let absent = lists.absent(edits.ids)
      let gone = absent > 0 && isWhole ? "; \(absent.grouped) not in this list" : ""
      parts.append("\(counted(edits.count, "edit")) (\(edits.words)\(gone)): w sends, p shows the plan")
    }
    let absent = lists.absentMarks
    if lists.hasMarks {
      let more = absent == 0 ? "" : ", \(absent.grouped) more not \(isWhole ? "in this list" : "read yet")"
      parts.append("\(marks.count.grouped) marked\(more)")
    }
    let keys: EscapedText = edits.isEmpty ? "? keys, q leaves" : "? keys"
    var line = (parts + [keys]).joined(separator: "  ")
    if lists.hasMarks, range == nil, !isReadingAll {
      let longer = (parts + ["Escape unmarks, \(keys)"]).joined(separator: "  ")
      if DisplayWidth.columns(of: longer.text) <= size.columns { line = longer }
    }
    return ScreenSpan(line, edits.isEmpty ? .mark : .strong)
  }
}
