import Testing

/// What the calls of a table have in common, and how a table is read.
///
/// ```
/// # 23 PATCH changes what is named
/// start --seed 5
/// each ID  2  3
/// GET /announcements/{ID}  < 200  json  before := body
/// PATCH /announcement/{ID} {"title":" "}  Accept-Language: en  < 422
///   .message = ...blank...  .errors none
/// GET /announcements/{ID}  < 200  = {before}
/// ```
///
/// `#` begins a row, which has a server of its own and makes its calls in their order. Two spaces separate items, an
/// indented line continues the one above, and `//` begins a remark.
///
/// A call is a method, a target below the dialect's base and perhaps a body, all of it as it is sent; then header fields,
/// of which one without a value is not sent. A body is sent as the table's type where no `Content-Type` is named.
///
/// What is expected follows `<`; an answer must also have the length that it promised:
/// - `200` is the status, `Name: value` a header field, `Name:` one that is absent, and `Name: ""` an empty one.
/// - `= text` is the whole body, `!= text` one that it is not, and `not JSON` one that cannot be read.
/// - `.item.0.id 7` is the JSON at a path, `.` the whole of it. `-1` is the last of a list, `*` is each, and the values of
///   all are one list, in which those that are missing are left out. `1..25` is the list of these numbers. `= text`,
///   `!= text` and `/expression/` are about a text, `#3` is a count, `keys a b` are all keys of an object, and `none`,
///   `string`, `list` and `object` are about the kind.
/// - Any other word is one of the table's `answers`, what follows it being their `{part}`.
/// - `name := .id`, with a path, a header field or `body`, names a value for the calls below.
///
/// `...` stands for any text in a header field and behind `=` and `!=`.
///
/// In braces stand named values, `{status}` (the one that is expected), `{base}` (the dialect's address), `{%NAME}` (a
/// value in percent-encoding) and `{x*255}` (a repeated text). `␠` is a space and `⏎` a line break; `""` is an empty
/// body or value.
///
/// `start` starts a server with these options besides `--memory`; the text behind `--import` becomes a file. `each NAME`
/// repeats the calls below it with each value, up to an empty line; where this comes at once, it repeats the rest of the
/// row. With several names a value is split at its first spaces.
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
  /// What several answers have in common.
  var answers: [String: String] = [:]

  /// The path of the dialect.
  var base: String { dialect.isEmpty ? "" : "/\(dialect)" }

  /// The rows of a text that begins two lines below the call, as the formatter places it.
  func rows(_ text: String, at place: SourceLocation = #_sourceLocation) -> [Row] {
    var rows: [Row] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var place = place
      place.line += 2 + index
      if line.hasPrefix("# ") {
        rows.append(Row(title: String(line.dropFirst(2)), table: self))
      } else {
        if rows.isEmpty { rows.append(Row(title: "", table: self)) }
        rows[rows.count - 1].add(String(line), place)
      }
    }
    return rows
  }

  /// The parts of a line between double spaces.
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
