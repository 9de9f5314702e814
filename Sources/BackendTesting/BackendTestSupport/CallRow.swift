public import BackendKit

/// A row of a table that tests an adapter: calls, the requests that each sends, their responses, and the outcome.
///
/// ```
/// # a field is cleared by a replacement that keeps the others
/// prepare {"put":"present"}
/// update todos/0 -user {"title":"b"}
///   > GET /0
///   < 200 {"id":0,"title":"a","user":"u"}
///   > PUT /0 {"title":"b"}
///   > Content-Type: application/json
///   < 200 {"id":0,"title":"b"}
///   = 0 {"id":0,"title":"b"}
/// # a missing record is not found
/// get todos/9  < 404  ! notFound rejected
/// ```
///
/// - `#` begins a row. A line without indentation is a ``Call``; the indented lines below are the expectations.
/// - `>` is a request, or a header field of the one above: without a value it must be missing; `effect` is its mark.
/// - `<` is a response, or a header field of it. The last response is repeated.
/// - `=` is the outcome, `!` the failure, with or without its message. `...` stands for any text.
/// - A call without `>` and `<` sends nothing; with only `<` it may send anything.
/// - `prepare` creates another backend with these options.
/// - `each X  a  b` repeats the calls of the row with each value in place of `{X}`; `""` is an empty one.
///
/// Two spaces separate values, and items on one line. An indented line without a mark continues the item above.
public struct CallRow: Sendable, CustomStringConvertible {
  /// The differences between a row and its calls.
  public struct Failure: Error, CustomStringConvertible {
    /// A paragraph for each call.
    public let description: String
  }

  /// The text after `#`.
  public let title: String
  let line: Int
  private(set) var steps: [Step] = []
  /// The values with which `each` repeats the calls.
  private var choices: [(name: String, values: [String])] = []

  init(title: String, line: Int) {
    self.title = title
    self.line = line
  }

  /// The line and the title.
  public var description: String { "\(line): \(title)" }

  /// Makes the calls one after the other. Throws a ``Failure`` that describes each call that differs from the row.
  public func check(_ plugin: Plugin) async throws {
    let answers = AnswersInTurn([])
    let server = FixtureServer { (_) throws(BackendError) in try answers.next() }
    var backend: (any Backend)?
    func prepare(_ options: Object) throws(BackendError) -> any Backend {
      try plugin.prepare(BackendSettings(name: "test", options: plugin.withDefaults(options))).attach(server)
    }
    var complaints = steps.isEmpty ? ["line \(line) has no calls\n"] : []
    for step in steps {
      let before = server.requests.count
      let found: Result<String, BackendError>
      do {
        answers.begin(try step.answers)
        if let options = try step.options {
          backend = nil
          backend = try prepare(options)
          found = .success("prepared")
        } else {
          let call = try Call(step.call)
          let prepared = if let backend { backend } else { try prepare(Object()) }
          backend = prepared
          found = .success(try await call.perform(prepared))
        }
      } catch let error as BackendError { found = .failure(error) } catch {
        complaints.append("line \(step.line), \(step.call)\n  cannot be read: \(error)\n")
        continue
      }
      let differences = step.differences(found, Array(server.requests.dropFirst(before)))
      guard !differences.isEmpty else { continue }
      complaints.append("line \(step.line), \(step.call)\n" + differences.map { "  \($0)\n" }.joined())
    }
    guard complaints.isEmpty else { throw Failure(description: "\(title)\n" + complaints.joined()) }
  }
}

extension CallRow {
  /// Reads a table whose text begins two lines below `line`, as formatted.
  public static func rows(_ table: String, line: Int = #line) -> [CallRow] {
    var rows: [CallRow] = []
    for (place, text) in table.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let place = line + 2 + place
      if text.hasPrefix("# ") {
        rows.append(CallRow(title: String(text.dropFirst(2)), line: place))
      } else if text.contains(where: { $0 != " " }) {
        if rows.isEmpty { rows.append(CallRow(title: "no title", line: place)) }
        rows[rows.count - 1].add(String(text), place)
      }
    }
    return rows.map(\.expanded)
  }

  private mutating func add(_ text: String, _ place: Int) {
    if text.hasPrefix("each ") {
      let list = String(text.dropFirst("each ".count)).replacing(text: "  ", with: "\u{0}")
      let words = list.split(separator: "\u{0}").map { $0.drop { $0 == " " } }
      let values = words.dropFirst().filter { !$0.isEmpty }
      let (name, texts) = (String(words.first ?? ""), values.map { $0 == "\"\"" ? "" : String($0) })
      if choices.last?.name == name {
        choices[choices.count - 1].values += texts
      } else {
        choices.append((name, texts))
      }
      return
    }
    if text.first != " " || steps.isEmpty { steps.append(Step(line: place)) }
    steps[steps.count - 1].add(text)
  }

  private var expanded: CallRow {
    var row = self
    for (name, values) in choices { row.steps = values.flatMap { value in row.steps.map { $0.filled(name, value) } } }
    return row
  }
}
