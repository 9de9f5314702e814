import BackendClient
import BackendConformance
import BackendKit

extension Command {
  /// Judges an adapter.
  static let conformance = Command(
    "conformance", "Judge whether a backend keeps the laws of the protocol", arguments: "[TARGET]",
    options: [
      OptionSyntax("read-only", help: "only what writes nothing"),
      OptionSyntax("sandbox", help: "everything in the resource may be destroyed"),
      OptionSyntax("only", value: "LAW", help: "this law only", isRepeatable: true),
      OptionSyntax("action", value: "ACTION", help: "an action of a record that may be called", isRepeatable: true),
      OptionSyntax("fail-fast", help: "end at the first broken law"),
      OptionSyntax("list", help: "show the laws and end"),
      OptionSyntax("sweep", help: "remove the records that a killed run left, and end"),
      OptionSyntax("rate", value: "N", help: "requests a second at most"),
      OptionSyntax("max-requests", value: "N", help: "requests at most"),
      OptionSyntax("seed", value: "N", help: "what generated queries and records follow from"),
      OptionSyntax("report", value: "text|junit|tap", help: "form of the report"),
      SharedOptions.yes,
    ] + SharedOptions.telling,
    details: [
      "It works on records of its own, known by a mark in a text, and removes them again.",
      "Writing to anything but the demo is a question at a terminal and needs --yes in a script. Nothing is written to a",
      "backend with the label production: only --read-only judges it.",
    ],
    examples: [
      Example(line: "conformance todolist", says: "every law, on the todos"),
      Example(line: "conformance intranet --read-only --report tap", says: "what writes nothing, for a test harness"),
    ]
  ) { invocation, session in
    let laws = try invocation.laws()
    if invocation.has("list") {
      let laws = laws ?? ConformanceSuite.laws
      let records = laws.map { law in
        Record(
          id: RecordID(law.name),
          fields: Object([
            ("law", .string(law.name)), ("group", .string(law.group.rawValue)), ("promise", .string(law.promise)),
          ]))
      }
      let rows = laws.map { ["\($0.group.rawValue): \($0.name)", $0.promise] }
      try session.tell(records, isSingle: false, invocation, text: Columns.text(rows))
      return .done
    }
    var words = invocation.words
    let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
    try await session.refuse(words, of: invocation, "conformance")
    var subject = try invocation.subject(target, session.context)
    subject.actions = try await invocation.actions(of: target)
    if !subject.isReadOnly, target.backend.configuration.isProduction {
      throw UsageError(
        "\(target.client.name) has the label production, to which no conformance run writes",
        hint: "--read-only judges what writes nothing; nothing was sent")
    }
    if invocation.has("sweep") {
      try await session.sweep(subject, target, invocation)
    } else {
      try await session.judge(subject, laws ?? subject.laws, target, invocation)
    }
    return .done
  }
}

extension Invocation {
  /// The laws asked for; nil where none is named.
  fileprivate func laws() throws(UsageError) -> [Law]? {
    let names = values(of: "only")
    if names.isEmpty { return nil }
    var laws: [Law] = []
    for name in names {
      guard let law = ConformanceSuite.law(named: name) else {
        let nearest = Nearest.suggestion(for: name, among: ConformanceSuite.laws.map(\.name))
        throw UsageError(
          "there is no law \"\(name)\"" + (nearest.map { ". Did you mean: \($0)?" } ?? ""),
          hint: nearest == nil ? "conformance --list shows them" : nil)
      }
      laws.append(law)
    }
    return laws
  }

  /// What is judged, and what may be done to it.
  fileprivate func subject(_ target: Target, _ context: ConsoleContext) throws(UsageError) -> ConformanceSubject {
    let backend = target.backend
    var subject = ConformanceSubject(
      target.client.name, target.path, exchange: backend.connection.exchange, plugin: backend.plugin,
      options: backend.options)
    subject.isReadOnly = has("read-only")
    subject.isSandbox = has("sandbox")
    if subject.isReadOnly && subject.isSandbox {
      throw UsageError("--read-only and --sandbox contradict each other")
    }
    if let text = value(of: "rate") { subject.rate = try Settings.count(text, "--rate", minimum: 1) }
    if let text = value(of: "max-requests") {
      subject.requestBudget = try Settings.count(text, "--max-requests", minimum: 1)
    }
    if let text = value(of: "seed") { subject.seed = UInt64(try Settings.count(text, "--seed", minimum: 0)) }
    if context.isRecorded { subject.run = subject.seed }
    return subject
  }

  /// The actions that may be called.
  fileprivate func actions(of target: Target) async throws -> Set<String> {
    let names = values(of: "action")
    guard !names.isEmpty else { return [] }
    let known = try await target.client.resource(target.path).actions.filter { $0.subject == .record }.map(\.name)
    for name in names where !known.contains(name) {
      throw UsageError(
        "\(target.description) has no action \"\(name)\" of a record",
        hint: Nearest.suggestion(for: name, among: known).map { "did you mean \($0)?" } ?? "describe shows those it has"
      )
    }
    return Set(names)
  }

  fileprivate func reportFormat() throws(UsageError) -> String {
    let format = value(of: "report") ?? "text"
    guard ["text", "junit", "tap"].contains(format) else {
      throw UsageError("--report is text, junit or tap, not \"\(format)\"")
    }
    return format
  }
}

extension Session {
  fileprivate func sweep(
    _ subject: ConformanceSubject, _ target: Target, _ invocation: Invocation
  ) async throws {
    try checkWritable(target)
    if subject.isReadOnly { throw UsageError("--sweep removes records, which --read-only forbids") }
    if !target.isDemo {
      try await confirm("Remove the records that a conformance run left in \(target.description)", target, invocation)
    }
    let count = try await ConformanceSuite(subject).sweep()
    try tell(
      Object([("action", "removed"), ("resource", .string(target.path.description)), ("count", .int(count))]),
      invocation,
      text: "removed \(count) \(count == 1 ? "record" : "records") of \(target.path)\n")
  }

  fileprivate func judge(
    _ subject: ConformanceSubject, _ laws: [Law], _ target: Target, _ invocation: Invocation
  ) async throws {
    let format = try invocation.reportFormat()
    if !subject.isReadOnly { try checkWritable(target) }
    note(Self.announcement(of: subject, laws, target))
    errors.flush()
    if !subject.isReadOnly, !target.isDemo {
      try await confirm(
        subject.isSandbox
          ? "Make, change and delete records, all of them too, in \(target.description)"
          : "Make and remove records in \(target.description)", target, invocation, refused: "nothing was sent")
    }
    try await ConformanceSuite(subject).reach()
    let report = await ConformanceSuite(subject).run(laws, failFast: invocation.has("fail-fast")) { [output] result in
      guard format == "text" else { return }
      output.write("\(TextReport.line(result))\n")
      output.flush()
    }
    switch format {
    case "junit": output.write(ShownText(lines: JUnitReport.text(report)))
    case "tap": output.write(ShownText(lines: TAPReport.text(report)))
    default: output.write(ShownText(lines: TextReport.ending(report)))
    }
    if report.isCancelled { throw CommandFailure(.interrupted, "the run was given up") }
    if var error = report.loss {
      error.backend = target.client.name
      error.resource = target.path.description
      error.operation = "conformance"
      throw error
    }
    let broken = report.failures.count
    guard broken == 0 else {
      throw CommandFailure(.failure, "\(target.description) breaks \(broken) of \(report.results.count) laws")
    }
  }

  private static func announcement(of subject: ConformanceSubject, _ laws: [Law], _ target: Target) -> String {
    // The demo has an address only once it was asked.
    let address = target.isDemo ? target.backend.configuration.url : target.backend.connection.address
    let count = laws.count == 1 ? "1 law" : "\(laws.count) laws"
    let pace = subject.rate.map { ", \($0) a second" } ?? ""
    let head = "\(count) on \(target.description) at \(address), at most \(subject.requestBudget) requests\(pace)"
    if subject.isReadOnly { return head + "; nothing is written" }
    if subject.isSandbox { return head + "; everything in the resource may be destroyed" }
    return head + "; makes records marked \(ConformanceSuite.mark)… and removes them, which is not counted"
  }
}

extension Target {
  /// Whether it is the embedded demo, whose data may be played with.
  fileprivate var isDemo: Bool { backend.configuration.url.hasPrefix("demo:") }
}
