import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSystem

/// The verdict on a write with an unknown outcome, after reading from the service.
struct JournalVerdict: Sendable {
  enum Kind: String, Sendable {
    case done, notDone, undecided
  }

  var kind: Kind
  var reason: String
  var id: RecordID?

  static func undecided(_ reason: String) -> JournalVerdict { JournalVerdict(kind: .undecided, reason: reason) }
}

struct JournalCheck: CommandPart {
  let context: CommandContext

  /// The milliseconds in which an abandoned write may still arrive.
  private static var settling: Int64 { 5_000 }
  /// The milliseconds for which a killed console may have been sending a write.
  private static var longest: Int64 { 600_000 }

  /// Checks the records of writes with unknown outcomes, and records the findings: `journal check`.
  func check(_ invocation: Invocation) async throws {
    var entries = try JournalEntries(context).entries(invocation)
    if entries.isEmpty {
      entries = try JournalEntries(context).unknown()
    }
    entries = entries.filter { !$0.isBeingSent }
    if entries.contains(where: {
      $0.outcome == .unknown && $0.ended == nil && $0.began > JournalClock.now() - Self.longest
    }) {
      note("the end of a write was not recorded; waiting \(Self.settling / 1000) s for its last requests")
      let interrupted = CommandFailure(.interrupted, "journal check: interrupted; nothing was decided")
      do { try await Task.sleep(for: .milliseconds(Self.settling)) } catch { throw interrupted }
      if isStopped { throw interrupted }
    }
    // Reads show the state at their beginning: a request may arrive while they are in progress.
    let begin = JournalClock.now()
    let creations = try await verdicts(onCreations: entries)
    var records: [Record] = []
    var text: EscapedText = ""
    var undecided = 0
    for entry in entries {
      let verdict = try await settled(entry, creations[entry.number], readFrom: begin)
      if verdict.kind == .undecided { undecided += 1 }
      try JournalEntries(context).settle(entry, verdict)
      let words = verdict.kind == .done ? "done" : verdict.kind == .notDone ? "not done" : "cannot be decided"
      text += "\(String(entry.number)) \(entry.deed): \(words): \(verdict.reason)\n"
      records.append(
        Record(
          id: RecordID(String(entry.number)),
          fields: Object(facts: [
            ("number", entry.number), ("verdict", verdict.kind.rawValue), ("reason", verdict.reason),
            ("id", verdict.id?.text),
          ])))
    }
    if entries.isEmpty { text = "every write has a known outcome\n" }
    try FactOutput(context).present(records, isSingle: false, invocation, text: text)
    if undecided > 0 {
      throw CommandFailure(
        .unknownOutcome,
        "journal check: the outcome of \(undecided) of \(counted(entries.count, "write")) stays unknown",
        hint: "journal dismiss N ends the reminders")
    }
  }

  /// The verdicts on creations with identifiers chosen by the service, by entry number. Reads each list once.
  private func verdicts(onCreations entries: [JournalEntry]) async throws -> [Int64: JournalVerdict] {
    var groups: [String: (target: Target, creations: [Int64: UnknownCreation])] = [:]
    for entry in entries where entry.outcome == .unknown && entry.verb == "create" && entry.job == nil {
      guard let target = try JournalEntries(context).target(of: entry).target, let sent = entry.sent else { continue }
      var group = groups[target.description] ?? (target, [:])
      group.creations[entry.number] = UnknownCreation(sent: sent, entry: entry.number)
      groups[target.description] = group
    }
    var verdicts: [Int64: JournalVerdict] = [:]
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      do {
        let resource = try await group.target.client.resource(group.target.path)
        let creations = group.creations.filter { Self.identifier($0.value.sent, resource) == nil }.sorted {
          $0.key < $1.key
        }
        let found = try await CreationVerdicts(context).verdicts(
          on: creations.map(\.value), in: group.target, maximumScan: run.settings.maxScan)
        for (creation, verdict) in zip(creations, found) { verdicts[creation.key] = verdict }
      } catch let error as BackendError where error.code != .cancelled {
        for number in group.creations.keys {
          verdicts[number] = .undecided("the list cannot be read: \(error.message)")
        }
      }
    }
    return verdicts
  }

  /// The identifier that a creation sent, if the service accepts one.
  private static func identifier(_ sent: JournalImage, _ resource: ResourceDescription) -> RecordID? {
    resource.capabilities.takesIdentifiers ? resource.identifier.identifier(in: sent.fields) : nil
  }

  /// The verdict on a write. `listed` is the one from its list, `begin` the time before the first read.
  private func settled(
    _ entry: JournalEntry, _ listed: JournalVerdict?, readFrom begin: Int64
  ) async throws -> JournalVerdict {
    switch entry.outcome {
    case .unknown: break
    case .done: return JournalVerdict(kind: .done, reason: "the journal already says so")
    case .failed, .notSent: return JournalVerdict(kind: .notDone, reason: "the journal already says so")
    }
    let (found, obstacle) = try JournalEntries(context).target(of: entry)
    guard let target = found else { return .undecided(obstacle) }
    if let job = entry.job { return try await Jobs(context).verdict(onJob: job, target) }
    if entry.verb == "create", entry.sent?.hasFile == true {
      return .undecided("it sent a file, and records do not show file content")
    }
    var verdict: JournalVerdict
    do throws(BackendError) {
      switch entry.verb {
      case "create" where listed != nil: verdict = listed ?? .undecided("the record is not known")
      case "update": verdict = try await self.verdict(onUpdate: entry, target)
      case "delete": verdict = try await self.verdict(onDeletion: entry, target)
      case "create": verdict = try await self.verdict(onCreation: entry, target)
      default: return .undecided("the console does not know what \(entry.name ?? entry.verb) changes")
      }
    } catch {
      guard error.code != .cancelled else { throw error }
      return .undecided("the record cannot be read: \(error.message)")
    }
    if verdict.kind == .done, entry.verb == "delete", let later = try JournalEntries(context).laterDeletion(than: entry)
    {
      guard !later.isBeingSent else { return .undecided("entry \(later.number) is deleting the record, too") }
      // Even if its request still arrives, the record is gone.
      return JournalVerdict(kind: .notDone, reason: "entry \(later.number) deletes the record, too")
    }
    if verdict.kind == .notDone, entry.code == JournalEntry.accepted {
      return .undecided("\(verdict.reason), but the server accepted the request and may still carry it out")
    }
    if verdict.kind == .notDone, (entry.ended ?? entry.began) > begin - Self.settling {
      verdict = .undecided("\(verdict.reason), but the request may still arrive; check again in 5 seconds")
    }
    return verdict
  }

  private func verdict(onUpdate entry: JournalEntry, _ target: Target) async throws(BackendError) -> JournalVerdict {
    guard let id = entry.id, let sent = entry.sent else { return .undecided("the record is not known") }
    guard let record = try await target.existing(RecordID(id)) else { return .undecided("the record does not exist") }
    let resource = try await target.client.resource(target.path)
    if sent.gaps.isEmpty, sent.wanted.isShown(by: record.fields, of: resource) {
      return JournalVerdict(kind: .done, reason: "the record has the values that were sent")
    }
    if sent.hasFile { return .undecided("it sent a file, and records do not show file content") }
    let names = sent.sentNames
    let before = names.compactMap { name -> (name: String, value: Value?)? in
      switch entry.before?.value(of: name) {
      case .value(let value)?: (name, value)
      case .absent?: (name, nil)
      case .unknown?, nil: nil
      }
    }
    let same = before.count { resource.isSame($0.value, record.fields[$0.name], in: $0.name) }
    guard same == names.count else {
      return .undecided(
        before.isEmpty
          ? "the record does not have the values that were sent, and its earlier ones were not recorded"
          : before.count < names.count && same == before.count
            ? "the record does not have the values that were sent, and not all of its earlier ones were recorded"
            : "the record has neither the sent nor the recorded previous values")
    }
    return JournalVerdict(kind: .notDone, reason: "the record still has its previous values")
  }

  private func verdict(onDeletion entry: JournalEntry, _ target: Target) async throws(BackendError) -> JournalVerdict {
    guard let id = entry.id else { return .undecided("the record is not known") }
    let isThere = try await target.existing(RecordID(id)) != nil
    if isThere, try await target.client.resource(target.path).capabilities.keepsDeleted {
      let name = RecordID(id)
      // A record may move to a page that was read already.
      for _ in 0..<2 {
        let listed = try await target.client.records(
          with: [name], in: target.path, maximumScan: run.settings.maxScan)
        guard let listed, listed[name] == nil else { return .undecided("a deleted record can still be read") }
      }
      return JournalVerdict(kind: .done, reason: "the list no longer has the record")
    }
    return JournalVerdict(
      kind: isThere ? .notDone : .done, reason: isThere ? "the record still exists" : "the record does not exist")
  }

  private func verdict(onCreation entry: JournalEntry, _ target: Target) async throws(BackendError) -> JournalVerdict {
    let resource = try await target.client.resource(target.path)
    guard let sent = entry.sent, let id = Self.identifier(sent, resource) else {
      return .undecided("what was sent is not known")
    }
    guard let record = try await target.existing(id) else {
      return JournalVerdict(kind: .notDone, reason: "there is no record \(id)")
    }
    guard sent.wanted.isShown(by: record.fields, of: resource) else {
      return .undecided(
        sent.hasFile
          ? "the record \(id) exists, but records do not show file content"
          : "the record \(id) exists with other values")
    }
    return JournalVerdict(kind: .done, reason: "the record \(id) has the values that were sent", id: id)
  }

  // MARK: Dismissal

  /// Ends the reminders of writes with unknown outcomes: `journal dismiss`. They remain unknown, and `journal check N`
  /// can still settle them.
  func dismiss(_ invocation: Invocation) throws {
    var entries = try JournalEntries(context).entries(invocation)
    if invocation.has("all") {
      entries = try JournalEntries(context).unknown().filter { !$0.isBeingSent }
    }
    for entry in entries where entry.outcome != .unknown || entry.isBeingSent {
      let state = entry.isBeingSent ? "it is being sent" : "its outcome is known: \(entry.outcome.rawValue)"
      throw CommandFailure(.failure, "entry \(entry.number) cannot be dismissed: \(state)")
    }
    var text: EscapedText = entries.isEmpty ? "no write has an unknown outcome\n" : ""
    for index in entries.indices {
      try dismiss(&entries[index])
      text += "dismissed \(String(entries[index].number)): \(entries[index].deed)\n"
    }
    try FactOutput(context).present(entries.map(\.record), isSingle: false, invocation, text: text)
  }

  private func dismiss(_ entry: inout JournalEntry) throws {
    guard let journal = run.console.journal else { return }
    let settled = "dismissed by the operator"
    let completion = JournalCompletion(
      ended: entry.ended ?? JournalClock.now(), outcome: .unknown, code: entry.code, message: entry.message,
      settled: settled)
    try JournalEntries(context).settle(entry, completion, journal)
    entry.settled = settled
    entry.ended = completion.ended
  }
}
