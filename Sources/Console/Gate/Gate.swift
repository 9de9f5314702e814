import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

enum GateOptions {
  static let syntax = [
    SharedOptions.dryRun,
    OptionSyntax("yes", help: "answer yes; or --yes=N for exactly N writes, --yes=up-to:N for at most N", short: "y")
      .orValue(),
    SharedOptions.asCurl,
    OptionSyntax("limit", value: .count(from: 0), help: "fail if more than N records would be written"),
  ]
}

extension GateOptions {
  /// Returns whether the value of `--yes` permits this number of writes: `N` exactly N, `up-to:N` at most N.
  static func permits(_ answer: String, _ count: Int) -> Bool {
    let prefix = "up-to:"
    guard answer.hasPrefix(prefix) else { return answer == String(count) }
    return Int(answer.dropFirst(prefix.count)).map { count <= $0 } ?? false
  }
}

extension SharedOptions {
  static let noWait = OptionSyntax(
    "no-wait", help: "do not wait for a job: print its address, and end with status 6")
  static let asCurl = OptionSyntax(
    "as", value: .oneOf(["curl"]), help: "show the requests as commands of curl, with --dry-run if they write")
  static let dryRun = OptionSyntax("dry-run", help: "show the plan and the requests without sending any writes")
}

/// The gate for all writes of a command before the first is sent: permission, limits, plan file, dry run, question.
struct Gate: CommandPart {
  let context: CommandContext

  /// Returns whether to send the writes now; false if they go into a plan file or are only shown. Throws if they
  /// are not permitted, or the answer is no.
  func admits(_ plan: WritePlan, _ invocation: Invocation) async throws -> Bool {
    let asked = Asked(plan, self)
    try begin(asked, invocation)
    try checkLimits(asked, plan.parts.map { ($0.target, $0.count) }, deletesAll: try plan.deletesAll, invocation)
    if let draft = writes.plan {
      for part in plan.parts { try await draft.add(part, invocation, context) }
      return false
    }
    if invocation.has("dry-run") {
      try await showDryRun(plan, invocation)
      return false
    }
    if plan.count > 0 { try await ask(asked, invocation) }
    return true
  }

  /// The same for an arbitrary request, which only its text describes.
  func admits(
    _ request: HTTPRequest, to target: Target, _ question: WriteQuestion, _ invocation: Invocation
  ) async throws -> Bool {
    let asked = Asked(question: question, count: 1, targets: [target])
    try begin(asked, invocation)
    try checkLimits(asked, [(target, 1)], deletesAll: false, invocation)
    if invocation.has("dry-run") {
      try show(request, to: target.backend, invocation)
      return false
    }
    try await ask(asked, invocation)
    return true
  }

  /// Asks before writes that are not planned individually, such as those of a conformance run.
  func permit(_ question: WriteQuestion, _ target: Target, _ invocation: Invocation) async throws {
    let asked = Asked(question: question, count: 1, targets: [target])
    try begin(asked, invocation)
    try await ask(asked, invocation)
  }

  /// Throws the errors that follow from the words alone. Nothing was read so far.
  private func begin(_ asked: Asked, _ invocation: Invocation) throws {
    if invocation.has("as"), !invocation.has("dry-run") {
      throw UsageError("--as shows the requests of a dry run", hint: "add --dry-run")
    }
    for target in asked.targets { try target.checkWritable() }
    let isPlanned = writes.plan != nil || targets.preview != nil
    if !isPlanned, run.rehearsal == nil { try Restriction.current.checkSending() }
    let isSent = !isPlanned && !invocation.has("dry-run")
    let isGiven = asked.needsNumber ? invocation.value(of: "yes") != nil : invocation.has("yes")
    if isSent, asked.question.isOfWords, asked.isNeeded, !isGiven, !Questions(context).canAsk { throw asked.refusal }
    try run.endRehearsal()
  }

  /// Throws if more records would be written than the command or a backend permits.
  private func checkLimits(
    _ asked: Asked, _ writes: [(target: Target, count: Int)], deletesAll: Bool, _ invocation: Invocation
  ) throws {
    let refused = asked.question.refused
    let hasMost = writes.contains { $0.target.backend.configuration.maxChanges != nil }
    if deletesAll, invocation.has("limit") || hasMost {
      let name = invocation.has("limit") ? "--limit" : "maxChanges"
      throw CommandFailure(
        .failure, "--all deletes an unknown number of records, but \(name) sets a limit; \(refused)",
        hint: "delete with --where counts them")
    }
    if let limit = try invocation.count(of: "limit"), asked.count > limit {
      throw CommandFailure(
        .failure, "\(counted(asked.count, "record")) would be written, more than --limit \(limit); \(refused)")
    }
    for backend in writes.map(\.target.client.name).unique {
      let own = writes.filter { $0.target.client.name == backend }
      guard let configuration = own.first?.target.backend.configuration, let most = configuration.maxChanges else {
        continue
      }
      let count = own.reduce(0) { $0 + $1.count }
      guard count > most else { continue }
      throw CommandFailure(
        .failure,
        "\(counted(count, "record")) would be written, and \(configuration.place("maxChanges")) permits \(most); \(refused)"
      )
    }
  }

  /// Warns of orphans that the server deletes with the records of a plan that is not shown.
  fileprivate func tellOrphans(of plan: WritePlan) async throws {
    guard !plan.question.namesOthers else { return }
    for part in plan.parts where part.deletes {
      if let sentence = try await Deletions(context).alsoDeleted(by: part, orphansOnly: true) { warn(sentence) }
    }
  }

  /// Throws if nobody can answer the question about writes yet to be found. Production requires their number: without
  /// it and without a user, nothing is read.
  func checkAnswerable(_ target: Target, _ invocation: Invocation) throws(UsageError) {
    guard target.backend.configuration.isProduction, writes.plan == nil, targets.preview == nil,
      !invocation.has("dry-run"),
      invocation.value(of: "yes") == nil, invocation.has("yes") || !Questions(context).canAsk
    else { return }
    throw UsageError(
      "writing \(target.description) (production) needs --yes=N; nothing was sent",
      hint: "--dry-run shows the number of writes")
  }

  // MARK: Dry run

  private func showDryRun(_ plan: WritePlan, _ invocation: Invocation) async throws {
    let unsent = try UnsentRequests(invocation, context)
    var (addresses, later, obstacles, isBegun) = ([String](), [String](), 0, false)
    let isCompared = plan.comparesRecords && !unsent.isCurl
    let isOfSeveral = Set(plan.parts.map(\.target.client.name)).count > 1
    var plan = plan
    for place in plan.parts.indices {
      let part = plan.parts[place]
      let address = part.target.backend.connection.address
      if !addresses.contains(address) { addresses.append(address) }
      // Only those shown are kept: there may be millions.
      var first: [PlannedWrite] = []
      var kept: [Int] = []
      var counts: [String: Int] = [:]
      for index in 0..<part.count {
        if isStopped {
          throw CommandFailure(.interrupted, "interrupted while building the requests; nothing was sent")
        }
        var planned = try part.write(index)
        if isCompared {
          let found = try await WriteComparison(planned, in: part.place)
          unsent.rows.add(found.records(of: planned, isOfSeveral ? part.target.client.name : nil))
          if found.isObstacle { (obstacles, isBegun) = (obstacles + 1, isBegun || planned.past == .begun) }
          guard found.isOpen else { continue }
        } else if plan.comparesRecords {
          guard case .send = try await planned.condition.look(at: planned, in: part.place) else { continue }
        }
        if index < plan.shown ?? .max { try await complete(&planned, part.place) }
        if let name = planned.awaited {
          if !isCompared { unsent.add(planned, awaiting: name) }
        } else if !isCompared {
          for request in try await part.place.client.requests(of: planned.write) {
            try unsent.add(request, to: part.target.backend)
          }
        }
        if planned.write.isCreation {
          later += planned.write.filesSentAlone(in: part.place.resource).filter { !later.contains($0) }
        }
        if first.count < plan.shown ?? .max { first.append(planned) }
        if plan.comparesRecords { kept.append(index) }
        counts[planned.write.verb, default: 0] += 1
      }
      var shown = WritePlan.Part(part.place, counts: WritePlan.Part.ordered(counts)) {
        [first, kept, isKept = plan.comparesRecords] index in
        index < first.count ? first[index] : try part.write(isKept ? kept[index] : index)
      }
      (shown.remarks, shown.isRechecked, shown.isListed) = (part.remarks, part.isRechecked, part.isListed)
      if shown.deletes { shown.others = try await Deletions(context).alsoDeleted(by: shown) }
      plan.parts[place] = shown
    }
    let lines = try PlanRenderer(plan: plan, width: reporter.errors.width).lines()
    write(plan: lines)
    try show(unsent, addresses, columns: isCompared ? WriteComparison.columns(ofSeveral: isOfSeveral) : nil)
    if obstacles > 0 {
      throw CommandFailure(
        .failure, "\(counted(obstacles, "write")) cannot be made as planned: the records are not as they were",
        hint: isBegun ? "some may have been made: run journal check, then apply again" : "make a new plan")
    }
    for field in later { tell("\(field) is sent afterwards, to a path with the identifier of the new record") }
  }

  /// A plan with the shown records read, if its command has only named them, and with those that the server also
  /// deletes.
  fileprivate func completed(_ plan: WritePlan) async throws -> WritePlan {
    var plan = plan
    if !plan.question.namesOthers {
      for place in plan.parts.indices where plan.parts[place].deletes {
        plan.parts[place].others = try await Deletions(context).alsoDeleted(by: plan.parts[place])
      }
    }
    guard plan.question.isOfWords, plan.question.records == nil, !isStopped else { return plan }
    for place in plan.parts.indices {
      let part = plan.parts[place]
      var first: [PlannedWrite] = []
      for index in 0..<min(part.count, plan.shown ?? WritePlan.usuallyShown) {
        var planned = try part.write(index)
        try await complete(&planned, part.place)
        first.append(planned)
      }
      plan.parts[place].write = { [first] index in try index < first.count ? first[index] : part.write(index) }
    }
    return plan
  }

  /// Reads the record of a shown write, unless it was read. If that fails, a dry run is shown without it.
  private func complete(_ planned: inout PlannedWrite, _ place: WritePlace) async throws {
    guard planned.before == nil, let id = planned.write.id, place.resource.capabilities.operations.contains(.get) else {
      return
    }
    do throws(BackendError) {
      planned.before = KnownFields(try await place.client.current(id, planned.write.resource))
    } catch {
      if error.code == .cancelled { throw error }
    }
  }

  /// Prints the lines of a plan; at a terminal, they are broken between words.
  func write(plan lines: [String]) {
    guard !lines.isEmpty else { return }
    reporter.errors.write(EscapedText(lines: lines.joined(separator: "\n")).fitted(to: reporter.errors.width))
  }

  /// Shows a request that is not sent.
  func show(_ request: HTTPRequest, to backend: OpenBackend, _ invocation: Invocation) throws {
    let unsent = try UnsentRequests(invocation, context)
    try unsent.add(request, to: backend)
    try show(unsent, [backend.connection.address])
  }

  private func show(_ unsent: UnsentRequests, _ addresses: [String], columns: [FieldPath]? = nil) throws {
    tell("dry run: nothing was sent to \(addresses.joined(separator: ", "))")
    let output = unsent.output
    guard output.isForPeople, columns == nil else {
      return try output.print(
        unsent.rows, output.presentation(context, fields: [], columns: columns, isSingle: false), context)
    }
    try unsent.rows.forEach { row throws(CommandFailure) in
      let line = EscapedText(lines: row.fields["line"]?.text ?? "")
      // A command stays in one row, to be copied.
      results.output.write(unsent.isCurl ? line : line.fitted(to: results.output.width))
      return !results.output.isUnread
    }
  }

  // MARK: The question

  private func ask(_ asked: Asked, _ invocation: Invocation) async throws {
    let question = asked.question
    if let given = invocation.value(of: "yes"), !GateOptions.permits(given, asked.count) {
      throw UsageError("--yes=\(given) does not match: the plan is for \(asked.count)", hint: question.refused)
    }
    // Planned writes are confirmed when the plan is applied.
    if targets.preview != nil { return }
    let isAnswered = invocation.has("yes") && (!asked.needsNumber || invocation.value(of: "yes") != nil)
    let isOpen = asked.isNeeded && !isAnswered
    let isQuiet = invocation.has("quiet")
    let shows =
      switch asked.showing {
      case .always: isOpen || !isQuiet
      case .atTerminal: isOpen || run.isInteractive && !isAnswered && !isQuiet
      case .never: isOpen && (!question.isOfWords || asked.count > 1 || asked.isProduction)
      }
    if !shows { try await asked.unshown() }
    let lines = shows ? try await asked.lines() : []
    if !lines.isEmpty {
      // The plan must be on the screen before it is answered or sent.
      write(plan: lines)
      reporter.progress?.end()
      reporter.errors.flush()
    }
    guard isOpen else { return }
    guard Questions(context).canAsk, !invocation.has("yes") else { throw asked.refusal }
    let text: EscapedText = "\(asked.text) at \(asked.addresses.joined(separator: ", "))?"
    let isAccepted =
      if asked.needsNumber {
        await Questions(context).answer(to: text + " Type \(asked.count) to continue: ", permits: true)
          == String(asked.count)
      } else if let offer = question.offer {
        await Questions(context).isYes(text, or: offer) == true
      } else {
        await Questions(context).isYes(text) == true
      }
    guard isAccepted else { throw CommandFailure(.failure, question.refused) }
  }
}

private struct Asked {
  let question: WriteQuestion
  let count: Int
  let targets: [Target]
  var showing = WritePlan.Showing.never
  var isPlanned = false
  var deletes = false
  var lines: () async throws -> [String] = { [] }
  /// Prints the warnings of a plan that is not shown.
  var unshown: () async throws -> Void = {}

  var isProduction: Bool { targets.contains { $0.backend.configuration.isProduction } }
  var isNeeded: Bool { question.isAlways || isProduction }
  /// True if the answer is the number of writes.
  var needsNumber: Bool {
    question.takesNumber || isProduction && (!question.isOfWords || isPlanned && (deletes || count > 1))
  }
  var text: String { question.text + (isProduction ? " (production)" : "") }

  var addresses: [String] {
    var addresses: [String] = []
    for target in targets where !addresses.contains(target.backend.connection.address) {
      addresses.append(target.backend.connection.address)
    }
    return addresses
  }

  var refusal: UsageError {
    UsageError(
      "\(text.prefix(1).lowercased() + text.dropFirst()) needs \(needsNumber ? "--yes=\(count)" : "--yes"); "
        + (question.hasRead ? question.refused : "nothing was sent"))
  }
}

extension Asked {
  init(_ plan: WritePlan, _ gate: Gate) {
    self.init(
      question: plan.question, count: plan.question.records ?? plan.count, targets: plan.targets,
      showing: plan.showing, isPlanned: true, deletes: plan.parts.contains(where: \.deletes)
    ) {
      try PlanRenderer(plan: try await gate.completed(plan), width: gate.reporter.errors.width).lines()
    } unshown: {
      try await gate.tellOrphans(of: plan)
    }
  }
}
