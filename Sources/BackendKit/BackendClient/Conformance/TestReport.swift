/// Test results in the formats that test harnesses read.
///
/// The caller guarantees that no text has a character that could move a cursor or that XML forbids; texts of `JUnit`
/// may have line feeds and tabs.
public struct TestReport: Sendable {
  /// The outcome of a test.
  public enum Outcome: Sendable {
    /// It passed, with a note for JUnit.
    case passed(note: String?)
    /// It failed, or could not be judged if `isError`.
    case failed(message: String, details: String, isError: Bool)
    /// It was not judged, for a reason.
    case skipped(String)
  }

  /// One test.
  public struct Case: Sendable {
    /// Its name in JUnit.
    public var name: String
    /// Its description in TAP, on one line.
    public var title: String
    /// The class name in JUnit.
    public var group: String
    /// The time that the test took.
    public var duration: Duration
    /// The outcome of the test.
    public var outcome: Outcome
    /// The diagnostics below the test in TAP: names and YAML scalars.
    public var diagnostics: [(name: String, yaml: String)]

    /// A test without diagnostics.
    public init(
      _ name: String, title: String, group: String, duration: Duration, _ outcome: Outcome,
      diagnostics: [(name: String, yaml: String)] = []
    ) {
      self.name = name
      self.title = title
      self.group = group
      self.duration = duration
      self.outcome = outcome
      self.diagnostics = diagnostics
    }
  }

  /// The name of the tests' subject.
  public var name: String
  /// The tests, in their order.
  public var cases: [Case]
  /// The names of the tests that the run did not reach.
  public var notJudged: [String] = []
  /// The reason why the run was interrupted; nil if it was not.
  public var interruption: String?
  /// Figures of the whole run.
  public var figures: [(name: String, value: Int)] = []
  /// Further notes, one line each.
  public var notes: [String] = []

  /// A report of a complete run.
  public init(_ name: String, _ cases: [Case]) {
    self.name = name
    self.cases = cases
  }
}

extension TestReport {
  /// The report in the Test Anything Protocol, version 14.
  public var tap: String {
    var lines = ["TAP version 14", "1..\(cases.count)"]
    for (index, test) in cases.enumerated() { lines += Self.point(test, number: index + 1) }
    if !figures.isEmpty { lines.append("# " + figures.map { "\($0.name) \($0.value)" }.joined(separator: ", ")) }
    lines += notes.map { "# \($0)" }
    if let interruption { lines.append("Bail out! \(Self.description(interruption))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func point(_ test: Case, number: Int) -> [String] {
    let name = "\(number) - \(description(test.title))"
    let below =
      test.diagnostics.isEmpty ? [] : ["  ---"] + test.diagnostics.map { "  \($0.name): \($0.yaml)" } + ["  ..."]
    return switch test.outcome {
    case .passed: ["ok " + name] + below
    case .skipped(let reason): ["ok \(name) # SKIP \(reason)"]
    case .failed: ["not ok " + name] + below
    }
  }

  /// Escapes `#`, which would begin a directive.
  private static func description(_ text: String) -> String {
    text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\\#")
  }
}
