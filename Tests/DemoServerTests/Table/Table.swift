import DemoServerSupport
import Testing

/// The form of a table of calls, and what its calls have in common.
///
/// ```
/// # 23 PATCH changes what is named
/// start --seed 5
/// GET /announcements/2  < 200  before := body
/// PATCH /announcement/{ID} {"title":" "}  Accept-Language: en  < 422  for ID  2  3
///   .message = ...blank...  .errors none
/// GET /announcements/2  < 200  = {before}
/// ```
///
/// `#` begins a row, which has a server of its own and makes its calls in their order. Two spaces separate items, an
/// indented line continues the one above, and `//` begins a remark. `start` starts a server with these options besides
/// `--memory`; the text behind `--import` becomes a file. `each NAME` repeats the row with each of its values, and
/// `for NAME` at the end of a call repeats this; with several names a value is split at its first spaces.
///
/// A call is a method, a target below the dialect's base and perhaps a body, all as they are sent; then header fields,
/// of which one without a value is not sent. A body has the table's type where no `Content-Type` is named.
///
/// Expectations follow `<`; an answer must also have the length that it promised:
/// - `200` is the status, `Name: value` a header field, `Name:` one that is absent, and `Name: ""` an empty one.
/// - `= text` is the whole body, `!= text` one that it is not, and `not JSON` one that cannot be read.
/// - `.item.0.id 7` is the JSON at a path, `.` the whole of it. `-1` is the last of a list; `*` is each of them, and
///   what is there becomes one list. `1..25` is the list of these numbers, `#3` a count, `keys a b` are all keys of an
///   object. `= text`, `!= text` and `/expression/` are about texts, `none`, `string`, `list` and `object` about kinds.
/// - `name := .id`, with a path, a header field or `body`, names a value for the calls below.
/// - Any other word is one of the table's `answers`; what follows it is their `{part}`.
///
/// `...` stands for any text in a header field and behind `=` and `!=`. In braces stand named values, `{status}` (the
/// expected one), `{base}` (the dialect's address), `{%NAME}` (a value in percent-encoding) and `{x*255}` (a repeated
/// text). `␠` is a space and `⏎` a line break; `""` is an empty body or value.
struct Table: Sendable {
  /// The first segment of every target; empty where the targets name it.
  var dialect = ""
  /// The options of a server that a row does not start itself.
  var options = ""
  /// The type of a body.
  var type = "application/json"
  /// Header fields of every call.
  var headers: [String] = []
  /// Values for the places in braces.
  var values: [String: String] = [:]
  /// The common parts of several answers.
  var answers: [String: String] = [:]

  /// The rows of a text that begins two lines below the call, as the formatter places it, or in its line.
  func rows(_ text: String, at place: SourceLocation = #_sourceLocation) -> [Row] {
    var rows: [Row] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.hasPrefix("//") {
      var place = place
      if lines.count > 1 { place.line += 2 + index }
      if line.hasPrefix("# ") || rows.isEmpty { rows.append(Row(title: String(line.dropFirst(2)), table: self)) }
      if !line.hasPrefix("# ") { rows[rows.count - 1].add(String(line), place) }
    }
    return rows
  }

  /// Makes the calls of a text on a server that runs; returns the values that they named.
  @discardableResult
  func check(
    _ text: String, on server: any RunningDemo, _ values: [String: String] = [:],
    at place: SourceLocation = #_sourceLocation
  ) async throws -> [String: String] {
    var values = self.values.merging(values) { $1 }
    for row in rows(text, at: place) { try await row.check(on: server, &values) }
    return values
  }

  /// The parts of a text between double spaces.
  static func items(_ text: String) -> [String] {
    text.split(separator: "  ").map { $0.trimmed }.filter { !$0.isEmpty }
  }
}

extension Substring {
  /// The text without spaces around it.
  var trimmed: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
