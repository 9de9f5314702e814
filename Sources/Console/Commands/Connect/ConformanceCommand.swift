import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let conformance = Command(
    "conformance", .connect, "Test whether a backend conforms to the protocol", arguments: [.optional(.target)],
    effects: [.readsRecords, .writesRecords],
    readsOnly: Command.ReadingForm("writes unless --read-only is given") { reading in
      reading.has("read-only") || reading.has("list")
    },
    options: [
      OptionSyntax("read-only", help: "check only the laws that write nothing"),
      OptionSyntax("sandbox", help: "allow changes to every record of the resource"),
      OptionSyntax("only", value: .law, help: "check this law only", isRepeatable: true),
      OptionSyntax("action", value: .action, help: "allow calls of this record action", isRepeatable: true),
      OptionSyntax("fail-fast", help: "stop at the first broken law"),
      OptionSyntax("list", help: "list the laws, and exit"),
      OptionSyntax("sweep", help: "delete the records that a killed run left, and exit"),
      OptionSyntax("rate", value: .count(from: 1), help: "maximum requests per second"),
      OptionSyntax("max-requests", value: .count(from: 1), help: "maximum requests"),
      OptionSyntax("seed", value: .count(from: 0), help: "seed for generated queries and records"),
      OptionSyntax("report", value: .oneOf(["text", "junit", "tap"]), help: "format of the report"),
      SharedOptions.yes,
    ] + SharedOptions.format,
    details: [
      "conformance creates records with a marker in their text, works on these only, and deletes them afterwards.",
      "Except on the demo, it asks before it writes; scripts need --yes. On a backend labeled production, only --read-only is allowed.",
    ],
    examples: [
      Example(line: "conformance todolist", says: "every law, on the todos"),
      Example(
        line: "conformance intranet --read-only --report tap",
        says: "only the tests that write nothing, for a test harness"),
    ]
  ) { invocation, context in
    let judge = try context.run.console.judge()
    let laws = try invocation.laws(of: judge)
    if invocation.has("list") {
      let records = laws.map { law in
        Record(
          id: RecordID(law.name),
          fields: Object(facts: [("law", law.name), ("group", law.group), ("promise", law.promise)]))
      }
      let rows = laws.map { ["\($0.group): \($0.name)", $0.promise] }
      return try FactOutput(context).present(records, isSingle: false, invocation, text: Columns.text(rows))
    }
    let target = try await Subject(context).target(of: invocation).0
    var order = try invocation.order(target, context.run.console)
    order.actions = try await invocation.actions(of: target)
    if !order.isReadOnly, target.backend.configuration.isProduction {
      throw UsageError(
        "\(target.client.name) is labeled production, and a conformance run never writes to production",
        hint: "--read-only runs only the tests that write nothing")
    }
    if invocation.has("sweep") {
      try await ConformanceRun(context).sweep(order, judge, target, invocation)
    } else {
      if invocation.has("only") { order.laws = laws.map(\.name) }
      try await ConformanceRun(context).judge(order, judge, target, invocation)
    }
  }
}

extension Invocation {
  fileprivate func laws(of judge: any ConformanceJudge) throws(UsageError) -> [ConformanceLaw] {
    let names = values(of: "only")
    let all = judge.laws
    if names.isEmpty { return all }
    var laws: [ConformanceLaw] = []
    for name in names {
      guard let law = all.first(where: { [$0.name, "\($0.group): \($0.name)"].contains(name) }) else {
        throw UsageError(
          "unknown law \"\(name)\"", name, among: all.map(\.name), else: "conformance --list shows them")
      }
      laws.append(law)
    }
    return laws
  }

  fileprivate func order(_ target: Target, _ context: ConsoleContext) throws(UsageError) -> ConformanceOrder {
    let backend = target.backend
    let exchange = SecretExchange(
      exchange: backend.connection, backend: target.client.name, blanking: context.blanking)
    var order = ConformanceOrder(
      target.client.name, target.path, exchange: exchange, plugin: backend.plugin, options: backend.options)
    order.isReadOnly = has("read-only")
    order.isSandbox = has("sandbox")
    if order.isReadOnly && order.isSandbox {
      throw UsageError("--read-only and --sandbox cannot be combined")
    }
    order.failsFast = has("fail-fast")
    if let rate = try count(of: "rate") { order.rate = rate }
    if let most = try count(of: "max-requests") { order.requestBudget = most }
    if let seed = try count(of: "seed") { order.seed = UInt64(seed) }
    if context.isRecorded { order.run = order.seed }
    if let form = value(of: "report").flatMap(ConformanceOrder.Report.init(rawValue:)) { order.report = form }
    return order
  }

  fileprivate func actions(of target: Target) async throws -> Set<String> {
    let names = values(of: "action")
    guard !names.isEmpty else { return [] }
    let known = try await target.client.resource(target.path).actions.filter { $0.subject == .record }.map(\.name)
    for name in names where !known.contains(name) {
      throw UsageError(
        "\(target.description) has no record action \"\(name)\"", name, among: known,
        else: "describe lists its actions")
    }
    return Set(names)
  }
}

/// Runs the conformance suite, or deletes records left behind by earlier runs.
private struct ConformanceRun: CommandPart {
  let context: CommandContext

  func sweep(
    _ order: ConformanceOrder, _ judge: any ConformanceJudge, _ target: Target, _ invocation: Invocation
  ) async throws {
    try target.checkWritable()
    if order.isReadOnly { throw UsageError("--sweep removes records, which --read-only forbids") }
    if !target.isDemo {
      try await Gate(context).permit(
        .always(
          "Remove the records that a conformance run left in \(target.description)", refused: "nothing was deleted"),
        target, invocation)
    }
    let count = try await judge.sweep(order)
    try FactOutput(context).present(
      Object(facts: [("action", "removed"), ("resource", target.path.description), ("count", count)]),
      invocation,
      text: "removed \(counted(count, "record")) of \(target.path)\n")
  }

  func judge(
    _ order: ConformanceOrder, _ judge: any ConformanceJudge, _ target: Target, _ invocation: Invocation
  ) async throws {
    if !order.isReadOnly { try target.checkWritable() }
    tell(Self.announcement(of: order, judge, target))
    reporter.errors.flush()
    if !order.isReadOnly, !target.isDemo {
      let question =
        order.isSandbox
        ? "Create, change and delete records in \(target.description), including deleting ALL records"
        : "Create and delete test records in \(target.description)"
      try await Gate(context).permit(.always(question, refused: "nothing was sent"), target, invocation)
    }
    // A run of single laws is for them alone.
    if order.laws == nil { await pointOut(target) }
    var order = order
    let progress = reporter.progress
    order.onWait = { wait in if let wait { progress?.pause(Int(wait.components.seconds)) } }
    progress?.begin("conformance of \(target.description)")
    progress?.expect(judge.laws(of: order).count)
    let outcome = try await judge.judge(order) { progress?.advance(1) }
    progress?.end()
    results.output.write(EscapedText(lines: reporter.blanking.text(outcome.report)))
    if outcome.isCancelled { throw CommandFailure(.interrupted, "the run was stopped") }
    if var error = outcome.loss {
      error.backend = target.client.name
      error.resource = target.path.description
      error.operation = "conformance"
      throw error
    }
    guard outcome.broken == 0 else {
      throw CommandFailure(
        .failure, "\(target.description) breaks \(outcome.broken) of \(outcome.judged) laws")
    }
  }

  /// Notes what no law can decide: fields with the name of a secret, and a login without which the list is the same.
  private func pointOut(_ target: Target) async {
    let fields = (try? await target.client.resource(target.path))?.fields ?? []
    for field in fields where !field.holdsSecret && run.console.blanking.names.contains(field.name) {
      note("\(field.name) looks like a secret; its description does not have `secret: true`")
    }
    let (backend, name) = (target.backend, target.client.name)
    guard backend.login != nil, let bare = try? targets.connector.connect(backend.configuration, login: nil),
      let prepared = try? backend.plugin.prepare(BackendSettings(name: name, options: backend.options))
    else { return }
    let first = ListRequest(ListQuery(target.path, pageSize: 1), limit: 1)
    let client = Client(name: name, backend: prepared.attach(bare))
    guard (try? await client.list(first, to: RecordSink { _ in .enough })) != nil else { return }
    note("\(target.description) can be listed without a login, although one is described")
  }

  private static func announcement(
    of order: ConformanceOrder, _ judge: any ConformanceJudge, _ target: Target
  ) -> String {
    // The demo gets its address only when it is used.
    let address = target.isDemo ? target.backend.configuration.url : target.backend.connection.address
    let laws = counted(judge.laws(of: order).count, "law")
    let pace = order.rate.map { ", \($0) a second" } ?? ""
    let head = "\(laws) on \(target.description) at \(address), at most \(order.requestBudget) requests\(pace)"
    if order.isReadOnly { return head + "; nothing is written" }
    if order.isSandbox { return head + "; everything in the resource may be destroyed" }
    return head + "; creates test records named \(judge.mark)… and deletes them (cleanup not counted)"
  }
}

extension Target {
  /// True for the embedded demo, whose data may be changed freely.
  fileprivate var isDemo: Bool { backend.configuration.url.hasPrefix(BackendAddress.demo) }
}
