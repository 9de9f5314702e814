package import BackendKit

/// The line below a list: the rows shown, the total, the command for more, and the time.
package struct Footer: Sendable {
  /// The rows shown, for example `1–20 of 1,234`.
  let range: String
  /// The command that shows the rest; nil if there is no more.
  let more: String?
  /// The time of the command, if reported.
  let time: String?
  /// Its numbers, for programs.
  package let members: [(String, Value?)]

  /// A footer; `first` counts from 1. If no total is known, `mostTotal` is an upper limit of the number of records.
  package init(first: Int, count: Int, total: Int?, mostTotal: Int? = nil, more: String?, milliseconds: Double?) {
    let shown = count == 0 ? "no records" : "\(first.grouped)–\((first + count - 1).grouped)"
    let most = mostTotal.map { " of at most \($0.grouped)" }
    range = shown + (count == 0 ? "" : total.map { " of \($0.grouped)" } ?? most ?? "")
    members = [
      ("first", count == 0 ? nil : .int(first)), ("count", .int(count)), ("total", total.map { .int($0) }),
      ("totalAtMost", total == nil ? mostTotal.map { .int($0) } : nil),
    ]
    self.more = more.map { "more: \($0)" }
    time = milliseconds.map(Self.time)
  }

  /// The footer on one line, or on several in a narrow window.
  package func text(width: Int?) -> String {
    let shown = more == nil ? range : range + ","
    let line = [shown, more].compactMap(\.self).joined(separator: " ") + (time.map { "  \($0)" } ?? "")
    guard let width, DisplayWidth.columns(of: line) > width else { return line + "\n" }
    var lines: [String] = []
    for part in [shown, more, time].compactMap(\.self) {
      if let last = lines.last, DisplayWidth.columns(of: last) + 1 + DisplayWidth.columns(of: part) <= width {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines += Wrapping.lines(of: part, width: width)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A time for people: `(4 ms)`, `(1.2 s)`, `(2 min 5 s)`.
  package static func time(_ milliseconds: Double) -> String {
    let rounded = Int(milliseconds.rounded())
    switch rounded {
    case ..<1000: return "(\(rounded) ms)"
    case ..<60_000: return "(\(rounded / 1000).\(rounded % 1000 / 100) s)"
    default: return "(\(rounded / 60_000) min \(rounded % 60_000 / 1000) s)"
    }
  }
}
