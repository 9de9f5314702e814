import BackendClient
import BackendKit
import ConsoleSystem
import Files

/// A plan file being written: a header line, a line per write, and a line with their number. It is private to its
/// owner, as it has data read and to be written.
final class PlanDraft: PlanSink {
  struct Summary {
    /// The writes of one resource: numbers by verb, and the first ones.
    struct Part {
      let place: WritePlace
      var counts: [(verb: String, count: Int)] = []
      var first: [PlannedWrite] = []
      var others: String?
    }

    var parts: [Part] = []
    var target: Target? { parts.first?.place.target }

    var counts: [(verb: String, count: Int)] {
      var counts: [(verb: String, count: Int)] = []
      for (verb, count) in parts.flatMap(\.counts) {
        if let place = counts.firstIndex(where: { $0.verb == verb }) {
          counts[place].count += count
        } else {
          counts.append((verb, count))
        }
      }
      return counts
    }

    func lines() throws -> [String] {
      let parts = parts.map { part in
        var shown = WritePlan.Part(part.place, counts: part.counts) { part.first[$0] }
        shown.others = part.others
        return shown
      }
      return try PlanRenderer(plan: WritePlan(parts, WriteQuestion(""))).lines()
    }

    var total: Int { counts.reduce(0) { $0 + $1.count } }

    /// The number of writes by verb, for example `10 updates, 2 deletions`.
    var words: String {
      let nouns = ["create": "creation", "update": "update", "delete": "deletion"]
      let words = counts.map { counted($0.count, nouns[$0.verb] ?? $0.verb) }
      return words.isEmpty ? "no writes" : words.joined(separator: ", ")
    }
  }

  private let path: String
  /// Nil in a check, which writes no file.
  private let draft: Draft?
  private var header: PlanHeader?
  private(set) var summary = Summary()

  init() {
    path = ""
    draft = nil
  }

  /// Opens the file, before the first request.
  init(_ path: String) throws(UsageError) {
    self.path = path
    try Restriction.current.check(file: path)
    do { draft = try Draft(replacing: path, mode: 0o600) } catch {
      throw UsageError("cannot write \(path): \(error.reason)")
    }
  }

  /// Adds writes of one backend. Reads the whole records that they change, unless known.
  func add(_ part: WritePlan.Part, _ invocation: Invocation, _ ports: CommandContext) async throws {
    let (writes, target, resource, images) = (try part.writes(), part.target, part.place.resource, part.place.images)
    if let header, header.backend != target.client.name {
      throw UsageError("a plan is for one backend, but this one is for \(header.backend)", hint: "no plan was written")
    }
    if header == nil {
      let header = PlanHeader(target, invocation, ports)
      self.header = header
      try add(line: header.line)
    }
    summary.parts.append(Summary.Part(place: part.place, others: try await Deletions(ports).alsoDeleted(by: part)))
    let ignoresMissing = invocation.has("ignore-not-found")
    var problem: (any Error)?
    let rows = RowsInFlight<Record?>(count: writes.count, jobs: 4) { index in
      do throws(BackendError) { return try await writes[index].wholeRecord(resource, target.client) } catch {
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
        try check(write, images, target)
        var before = record.map { images.image($0) }
        if case .delete(_, .one(let id), _) = write {
          for dependents in resource.uncountedDependents(of: [id]) { before?.along[dependents.resource] = .null }
        }
        try add(line: PlanEntry(write, before: before).line)
        count(PlannedWrite(write, from: writes[index].origin, record: record))
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    if ports.isStopped || Task.isCancelled {
      throw CommandFailure(.interrupted, "interrupted while the plan was being created; no plan was written")
    }
  }

  private func count(_ planned: PlannedWrite) {
    guard var part = summary.parts.popLast() else { return }
    if let place = part.counts.firstIndex(where: { $0.verb == planned.write.verb }) {
      part.counts[place].count += 1
    } else {
      part.counts.append((planned.write.verb, 1))
    }
    if part.first.count < WritePlan.usuallyShown { part.first.append(planned) }
    summary.parts.append(part)
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
    var bytes: [UInt8] = []
    JSONWriter.write(.object(line), to: &bytes)
    bytes.append(0x0A)
    do { try draft?.write(bytes) } catch { throw failure(error) }
  }

  /// Moves the finished plan into place.
  func finish() throws(CommandFailure) {
    guard header != nil else {
      abandon()
      throw CommandFailure(.failure, "the command has nothing to plan; \(path) was not written")
    }
    try add(line: Object(facts: [("writes", summary.total)]))
    do { try draft?.finish() } catch { throw failure(error) }
  }

  /// Discards the plan, and leaves the previous file as it was.
  func abandon() { draft?.discard() }

  private func failure(_ error: FileFailure) -> CommandFailure {
    CommandFailure(.failure, "cannot write \(path): \(error.reason)", hint: "no plan was written")
  }
}

extension PlannedWrite {
  /// The whole record that the write changes, read unless known; nil if it does not exist yet.
  fileprivate func wholeRecord(_ resource: ResourceDescription, _ client: Client) async throws(BackendError) -> Record?
  {
    guard let id = write.id else { return nil }
    if let record, record.isWhole { return record }
    guard resource.capabilities.operations.contains(.get) else {
      throw BackendError(
        .unsupported, "its records cannot be read individually, so a plan could not tell whether they have changed",
        effect: .notSent, hint: "no plan was written", operation: write.verb, backend: client.name,
        resource: write.resource.description)
    }
    do throws(BackendError) { return try await client.current(id, write.resource) } catch {
      var error = error
      error.operation = error.operation ?? write.verb
      (error.backend, error.resource, error.id) = (client.name, write.resource.description, id.text)
      throw error
    }
  }
}

extension Write {
  /// The write with everything resolved that depends on the record: toggled booleans, formulas, and whether a path is
  /// the name of a member.
  fileprivate func definite(_ record: Record?) throws(BackendError) -> Write {
    guard case .update(let path, let id, var changes, let parts, let use) = self, !parts.isEmpty else {
      return self
    }
    var rest: [PartChange] = []
    for part in parts {
      if let change = try part.ofMember(in: record?.fields ?? Object()) {
        changes.append(change)
        continue
      }
      guard part.isRelative else {
        rest.append(try part.computed(of: record?.fields ?? Object()))
        continue
      }
      var whole = record?.fields[part.field]
      try part.computed(of: record?.fields ?? Object()).apply(to: &whole)
      let value = FieldPath(part.description).value(in: Object([(part.field, whole ?? .null)]))
      if let nested = PartChange(part.path, value) {
        rest.append(nested)
      } else {
        changes.append(.set(part.field, value ?? .null))
      }
    }
    return .update(path, id, changes, parts: rest, revision: use)
  }
}
