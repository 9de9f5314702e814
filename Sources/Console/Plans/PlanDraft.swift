import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem
import Files

/// A plan file being written: a header line, a line per write and for each further backend, and a line with the number
/// of writes. It is private to its owner, as it has data read and to be written.
final class PlanDraft: PlanSink {
  struct Summary {
    /// The writes of one resource: numbers by verb, and the first ones.
    struct Part {
      let place: WritePlace
      var counts: [String: Int] = [:]
      var first: [PlannedWrite] = []
      var others: String?
    }

    private(set) var parts: [Part] = []
    private(set) var counts = PlanCounts()

    /// The index of the part for a place.
    @discardableResult fileprivate mutating func begin(_ place: WritePlace, others: String? = nil) -> Int {
      let name = place.target.description
      let index = parts.firstIndex { $0.place.target.description == name } ?? parts.count
      if index == parts.count { parts.append(Part(place: place)) }
      parts[index].others = others ?? parts[index].others
      return index
    }

    fileprivate mutating func count(_ planned: PlannedWrite, at place: WritePlace) {
      let index = begin(place)
      parts[index].counts[planned.write.verb, default: 0] += 1
      if parts[index].first.count < WritePlan.usuallyShown { parts[index].first.append(planned) }
      counts.add(planned.write.verb, to: place.client.name)
    }

    func lines() throws -> [String] {
      let parts = parts.map { part in
        var shown = WritePlan.Part(part.place, counts: WritePlan.Part.ordered(part.counts)) { index in
          // The writes that are not shown are taken for others like them.
          part.first[min(index, part.first.count - 1)]
        }
        shown.others = part.others
        return shown
      }
      return try PlanRenderer(plan: WritePlan(parts, WriteQuestion(""))).lines()
    }
  }

  /// The time for which a plan can be begun, unless the command gives another.
  static let day = TimeSpan(milliseconds: 86_400_000)
  /// The longest time that a command can give.
  static let year = TimeSpan(milliseconds: 366 * 86_400_000)

  private let path: String
  /// Nil in a check, which writes no file.
  private let draft: Draft?
  /// The command that makes the plan; nil for that of the first write.
  private let ports: CommandContext?
  private let lifetime: TimeSpan
  private let proposal: PlanProposal?
  private var header: PlanHeader?
  private var backends: Set<String> = []
  private var names = PlanNames()
  /// The first use of a name that no creation has. Only in a plan with such names it is a mistake.
  private var stray: PlanMistake?
  private(set) var summary = Summary()

  init() {
    path = ""
    draft = nil
    ports = nil
    lifetime = Self.day
    proposal = nil
  }

  /// Opens the file, before the first request.
  init(
    _ path: String, lasting lifetime: TimeSpan = day, proposal: PlanProposal? = nil, _ ports: CommandContext
  ) throws(UsageError) {
    self.path = path
    self.ports = ports
    self.lifetime = lifetime
    self.proposal = proposal
    if proposal == nil { try Restriction.current.check(file: path) } else { try Restriction.current.checkProposing() }
    do { draft = try Draft(replacing: path, mode: 0o600) } catch {
      throw UsageError("cannot write \(path): \(error.reason)")
    }
  }

  /// Adds writes of one backend. Reads the whole records that they change, unless known.
  func add(_ part: WritePlan.Part, _ invocation: Invocation, _ ports: CommandContext) async throws {
    let (writes, place) = (try part.writes(), part.place)
    let ids = writes.compactMap(\.write.id)
    guard Set(ids).count == ids.count else {
      throw UsageError(
        "a record is given several times, and a plan changes each record of a command once",
        hint: "a plan of a script may change it several times; no plan was written")
    }
    try begin(part.target, condition: invocation.value(of: "where") ?? invocation.value(of: "search"), ports)
    summary.begin(place, others: try await Deletions(ports).alsoDeleted(by: part))
    let ignoresMissing = invocation.has("ignore-not-found")
    var problem: (any Error)?
    let rows = RowsInFlight<Record?>(count: writes.count, jobs: 4) { index in
      do throws(BackendError) { return try await writes[index].wholeRecord(place.resource, place.client) } catch {
        guard error.code == .notFound, ignoresMissing, case .delete = writes[index].write else { throw error }
        return nil
      }
    }
    _ = await rows.run {
      problem == nil && !ports.isStopped && !Task.isCancelled
    } take: { index, answer in
      guard problem == nil else { return }
      do {
        let record = try answer.get()
        if record == nil, writes[index].write.id != nil { return }
        let write = try writes[index].write.definite(record)
        let planned = PlannedWrite(write, from: writes[index].origin, record: record)
        try add(planned, before: record.map { place.images.image($0) }, new: nil, at: place, ports)
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    if ports.isStopped || Task.isCancelled {
      throw CommandFailure(.interrupted, "interrupted while the plan was being created; no plan was written")
    }
  }

  /// Adds one write of a script. `before` is the whole record that it changes; `new` names the identifier of a creation.
  func add(
    _ write: Write, before: JournalImage?, new: String?, from origin: WriteOrigin, at place: WritePlace,
    _ ports: CommandContext
  ) throws {
    let planned = PlannedWrite(write, from: origin, before: before?.known)
    if draft != nil, write.id != nil { try planned.checkReadable(place.resource, place.client) }
    try add(planned, before: before, new: new, at: place, ports)
  }

  private func add(
    _ planned: PlannedWrite, before: JournalImage?, new: String?, at place: WritePlace, _ ports: CommandContext
  ) throws {
    var planned = planned
    planned.write = planned.write.asKept(by: place.resource)
    try check(planned.write, place.images, place.target)
    try begin(place.target, condition: nil, ports)
    var before = before
    if case .delete(_, .one(let id), _) = planned.write {
      for dependents in place.resource.uncountedDependents(of: [id]) { before?.along[dependents.resource] = .null }
    }
    let isFirst = header?.backend.name == place.client.name
    let entry = PlanEntry(planned.write, before: before, on: isFirst ? nil : place.client.name, new: new)
    if new != nil { header?.version = PlanHeader.newest }
    do { try names.take(entry, at: summary.counts.total) } catch { stray = stray ?? error }
    try add(line: entry.line)
    summary.count(planned, at: place)
  }

  /// Adds the header, or the line of a further backend, before its first write.
  private func begin(_ target: Target, condition: String?, _ ports: CommandContext) throws(CommandFailure) {
    guard backends.insert(target.client.name).inserted else { return }
    let backend = PlanBackend(target, ports)
    if header == nil {
      let origin = self.ports ?? ports
      let header = PlanHeader(
        backend, command: Ledgers(origin).journaledCommand,
        condition: condition.map { ports.reporter.blanking.text($0, quoting: ports.words) },
        lasting: lifetime.milliseconds, proposal: proposal)
      self.header = header
      try add(line: header.line)
    } else {
      header?.version = PlanHeader.newest
      try add(line: Object(facts: backend.facts))
    }
  }

  private func check(_ write: Write, _ images: JournalImages, _ target: Target) throws(UsageError) {
    var (fields, parts) = (Object(), Object())
    switch write {
    case .delete(_, .all, _):
      throw UsageError(
        "a plan lists individual records, which --all does not identify",
        hint: "use a condition to plan a delete; no plan was written")
    case .act(_, _, let name, _):
      throw UsageError("\(name) cannot be planned", hint: "a plan can only create, update and delete records")
    case .delete: return
    case .create(_, let given): fields = given
    case .update(_, _, let changes, let given, _):
      for case .set(let name, let value) in changes { fields[name] = value }
      for part in given { parts[part.description] = part.value ?? .null }
    }
    let gaps = images.image(sending: fields, parts: parts).gaps
    guard gaps.isEmpty else {
      throw UsageError(
        "\(gaps.joined(separator: ", ")) of \(target.description) is secret, and secrets are not stored in a plan",
        hint: "make this change without a plan; no plan was written")
    }
  }

  private func add(line: Object) throws(CommandFailure) {
    do { try draft?.write(Self.bytes(line)) } catch { throw failure(error) }
  }

  private static func bytes(_ line: Object) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.write(.object(line), to: &bytes)
    return bytes + [0x0A]
  }

  /// Moves the finished plan into place.
  func finish() throws(CommandFailure) {
    guard let header else {
      abandon()
      let end = proposal == nil ? "\(path) was not written" : "no plan was made"
      throw CommandFailure(.failure, "the command has nothing to plan; \(end)")
    }
    try add(line: Object(facts: [("writes", summary.counts.total)]))
    if header.version > 1 {
      if let stray { throw CommandFailure(.failure, stray.reason, hint: "no plan was written") }
      // The version was not known when the first line was written; it has one digit.
      do { try draft?.rewrite(Self.bytes(header.line)) } catch { throw failure(error) }
    }
    do { try draft?.finish() } catch { throw failure(error) }
  }

  /// Discards the plan, and leaves the previous file as it was.
  func abandon() { draft?.discard() }

  private func failure(_ error: FileFailure) -> CommandFailure {
    CommandFailure(.failure, "cannot write \(path): \(error.reason)", hint: "no plan was written")
  }
}

extension PlannedWrite {
  /// Throws unless its record can be read again before the plan is applied.
  fileprivate func checkReadable(_ resource: ResourceDescription, _ client: Client) throws(BackendError) {
    guard resource.capabilities.operations.contains(.get) else {
      throw BackendError(
        .unsupported, "its records cannot be read individually, so a plan could not tell whether they have changed",
        effect: .notSent, hint: "no plan was written", operation: write.verb, backend: client.name,
        resource: write.resource.description)
    }
  }

  /// The whole record that the write changes, read unless known; nil if it does not exist yet.
  fileprivate func wholeRecord(_ resource: ResourceDescription, _ client: Client) async throws(BackendError) -> Record?
  {
    guard let id = write.id else { return nil }
    try checkReadable(resource, client)
    if let record, record.isWhole { return record }
    do throws(BackendError) { return try await client.current(id, write.resource) } catch {
      var error = error
      error.operation = error.operation ?? write.verb
      (error.backend, error.resource, error.id) = (client.name, write.resource.description, id.text)
      throw error
    }
  }
}
