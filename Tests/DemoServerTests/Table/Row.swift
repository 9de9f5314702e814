import DemoServerSupport
import Testing

/// One row of a table: calls, and what is expected of their answers.
struct Row: Sendable, CustomTestStringConvertible {
  private struct Line {
    var text: String
    let place: SourceLocation
  }

  let title: String
  let table: Table
  private var lines: [Line] = []

  init(title: String, table: Table) {
    self.title = title
    self.table = table
  }

  var testDescription: String { title }

  /// Takes a line of the table.
  mutating func add(_ text: String, _ place: SourceLocation) {
    if text.first == " ", !lines.isEmpty {
      lines[lines.count - 1].text += text
    } else if !text.isEmpty {
      lines.append(Line(text: text, place: place))
    }
  }

  /// Starts the servers of the row and makes its calls; each answer that is not as expected is an issue at its line.
  func check() async throws {
    var values = table.values
    try await check(on: nil, &values)
  }

  /// Makes the calls of the row, on this server until another is started.
  func check(on server: (any RunningDemo)?, _ values: inout [String: String]) async throws {
    var server = server
    let lists = lines.filter { $0.text.hasPrefix("each ") }
    let calls = lines.filter { !$0.text.hasPrefix("each ") }
    for outer in Self.combinations(lists.flatMap { Table.items($0.text) }) {
      for line in calls {
        if line.text == "start" || line.text.hasPrefix("start ") {
          server = try await Self.start(Places(outer, then: values).filled(line.text.dropFirst(6)))
          continue
        }
        let running: any RunningDemo
        if let server { running = server } else { running = try await Self.start(table.options) }
        server = running
        let items = Table.items(line.text)
        let end = items.firstIndex { $0.hasPrefix("for ") } ?? items.endIndex
        for inner in Self.combinations(Array(items[end...])) {
          var exchange = Exchange(table: table, own: outer.merging(inner) { $1 }, values: values)
          try await exchange.check(Array(items[..<end]), on: running, at: line.place)
          values = exchange.values
        }
      }
    }
    if calls.isEmpty { Issue.record("no calls: \(title)") }
  }

  /// The values of the names in lists such as `for A B  1 x  2 y`, each value of one with each of the next.
  private static func combinations(_ items: [String]) -> [[String: String]] {
    var combinations: [[String: String]] = [[:]]
    var rest = items[...]
    while let names = rest.popFirst()?.split(separator: " ").dropFirst().map(String.init) {
      let texts = rest.prefix { !$0.hasPrefix("for ") && !$0.hasPrefix("each ") }
      rest = rest.dropFirst(texts.count)
      if texts.isEmpty { Issue.record("no values: \(names)") }
      combinations = combinations.flatMap { outer in
        texts.map { text in
          let parts = text.split(separator: " ", maxSplits: names.count - 1).map { $0 == "\"\"" ? "" : String($0) }
          return outer.merging(zip(names, parts)) { $1 }
        }
      }
    }
    return combinations
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
