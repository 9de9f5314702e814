import DemoServerSupport
import Testing

/// One row of a table: calls of a server, and what is expected of its answers.
struct Row: Sendable, CustomTestStringConvertible {
  /// A start or a call, with what is expected of it.
  struct Step: Sendable {
    var text: String
    let place: SourceLocation
    /// The values of `each`.
    var values: [String: String] = [:]
  }

  /// The values that `each` gives to its names.
  private struct Choice {
    let names: [String]
    var texts: [String]

    var values: [[String: String]] {
      texts.map { text in
        let parts = text.split(separator: " ", maxSplits: names.count - 1).map { $0 == "\"\"" ? "" : String($0) }
        return Dictionary(zip(names, parts)) { first, _ in first }
      }
    }
  }

  /// The lines up to an empty one.
  private struct Group {
    var choices: [Choice] = []
    var steps: [Step] = []
  }

  let title: String
  let table: Table
  private var groups: [Group] = [Group()]

  init(title: String, table: Table) {
    self.title = title
    self.table = table
  }

  var testDescription: String { title }

  /// Takes a line of the table.
  mutating func add(_ line: String, _ place: SourceLocation) {
    if line.hasPrefix("each "), groups.last?.steps.isEmpty == false { groups.append(Group()) }
    let last = groups.count - 1
    let isContinued = line.first == " "
    if line.hasPrefix("//") { return }
    if line.allSatisfy({ $0 == " " }) {
      groups.append(Group())
    } else if isContinued, let step = groups[last].steps.indices.last {
      groups[last].steps[step].text += line
    } else if isContinued, let choice = groups[last].choices.indices.last {
      groups[last].choices[choice].texts += Table.items(line)
    } else if line.hasPrefix("each ") {
      let items = Table.items(line)
      let names = items[0].split(separator: " ").dropFirst().map(String.init)
      groups[last].choices.append(Choice(names: names, texts: Array(items.dropFirst())))
    } else {
      groups[last].steps.append(Step(text: line, place: place))
    }
  }

  /// The steps in their order, repeated where the row says so.
  private var steps: [Step] {
    groups.reversed().reduce(into: [Step]()) { steps, group in
      let rest = group.steps.isEmpty ? [] : steps
      var repeated = group.steps.isEmpty ? steps : group.steps
      for choice in group.choices.reversed() {
        repeated = choice.values.flatMap { values in
          repeated.map { step in
            var step = step
            step.values.merge(values) { inner, _ in inner }
            return step
          }
        }
      }
      steps = repeated + rest
    }
  }

  /// Starts the servers of the row and makes its calls; each answer that is not as expected is an issue at its line.
  func check() async throws {
    var server: Demo?
    var values = table.values
    for step in steps {
      if step.text == "start" || step.text.hasPrefix("start ") {
        let options = Places(step.values, then: values).filled(step.text.dropFirst("start ".count))
        server = try await Self.start(options)
      } else {
        let running: Demo
        if let server { running = server } else { running = try await Self.start(table.options) }
        server = running
        try await Exchange(step: step, table: table).check(on: running, &values)
      }
    }
    if server == nil { Issue.record("no calls: \(title)") }
  }

  /// Makes the calls of a row on a server that runs; returns the values that they named.
  @discardableResult
  func check(on server: any Answering, _ more: [String: String] = [:]) async throws -> [String: String] {
    var values = table.values.merging(more) { $1 }
    for step in steps { try await Exchange(step: step, table: table).check(on: server, &values) }
    return values
  }

  private static func start(_ options: String) async throws -> Demo {
    let mark = options.firstRange(of: "--import ")
    let words = options[..<(mark?.lowerBound ?? options.endIndex)].split(separator: " ").map(String.init)
    guard let mark else { return try await Demo.start(["--memory"] + words) }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = try folder.file("data.json", String(options[mark.upperBound...]))
    return try await Demo.start(["--memory"] + words + ["--import", file])
  }
}

extension Table {
  /// Makes the calls of a text without rows on a server that runs; returns the values that they named.
  @discardableResult
  func check(
    _ text: String, on server: any Answering, _ values: [String: String] = [:],
    at place: SourceLocation = #_sourceLocation
  ) async throws -> [String: String] {
    var values = values
    for row in rows(text, at: place) { values = try await row.check(on: server, values) }
    return values
  }
}
