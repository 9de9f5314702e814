/// Candidates to be listed below the line, and how to get back to the cursor.
struct CompletionList {
  private static let longest = 100

  let candidates: [Completion.Candidate]
  let charactersBehindCursor: Int

  /// The rows to print, in columns where no candidate has a remark.
  func rows(columns: Int) -> [String] {
    let shown = candidates.prefix(Self.longest)
    let width = (shown.map { TerminalText.width(of: $0.text) }.max() ?? 0) + 2
    var rows: [String]
    if shown.contains(where: { $0.remark != nil }) {
      rows = shown.map { candidate in
        guard let remark = candidate.remark else { return candidate.text }
        return Self.padded(candidate.text, to: width) + remark
      }
    } else {
      let perRow = max(1, columns / max(1, width))
      let count = (shown.count + perRow - 1) / perRow
      rows = (0..<count).map { row in
        stride(from: row, to: shown.count, by: count).map { Self.padded(shown[$0].text, to: width) }.joined()
      }
    }
    if candidates.count > shown.count { rows.append("and \(candidates.count - shown.count) more") }
    return rows
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TerminalText.width(of: text)))
  }
}
