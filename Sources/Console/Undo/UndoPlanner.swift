import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Plans the undoing of journal entries, newest first: each step applies to the state that earlier steps leave.
struct UndoPlanner {
  private enum Planned {
    case record(Object)
    case gone
  }

  private struct Key: Hashable {
    let backend: String
    let resource: String
    let id: String
  }

  private let ports: CommandContext
  private let undone: [Int64: Int64?]
  /// The records of several planned entries: only their states must be kept.
  private let repeated: Set<Int>
  private var planned: [Key: Planned] = [:]
  /// The records that planned steps delete, by backend and resource.
  private var deleted: [String: [String: Set<String>]] = [:]
  /// The records read together, by the numbers of their entries.
  private var looked: [Int64: Result<Record?, BackendError>] = [:]
  /// The unreachable backends, with reasons.
  private var lost: [String: String] = [:]
  private(set) var failure: CommandFailure?
  /// The fields sent for records to be deleted that the service has never shown, in order of appearance.
  private(set) var hidden: [String] = []

  init(_ ports: CommandContext, _ chosen: UndoEntries) {
    self.ports = ports
    undone = chosen.undone
    repeated = chosen.repeated
  }

  /// Reads the records of entries concurrently, for the next steps. Records of several entries, and those that a step
  /// would not read, are left to their steps.
  mutating func look(at entries: [JournalEntry]) async {
    looked = [:]
    guard entries.count > 1 else { return }
    var subjects: [(number: Int64, target: Target, id: RecordID)] = []
    for entry in entries
    where entry.outcome == .done && undone[entry.number] == nil && lost[entry.backend] == nil {
      guard let id = entry.id, !id.contains(text: Blanking.mark), !repeated.contains(entry.recordKey),
        ["create", "update", "delete"].contains(entry.verb),
        let target = try? JournalEntries(ports).target(of: entry).0,
        let resource = await target.client.resourceAtHand(target.path), resource.capabilities.operations.contains(.get)
      else { continue }
      subjects.append((entry.number, target, RecordID(id)))
    }
    looked = await withTaskGroup(of: (Int64, Result<Record?, BackendError>).self) { group in
      for (number, target, id) in subjects {
        group.addTask {
          let found: Result<Record?, BackendError>
          do throws(BackendError) { found = .success(try await target.existing(id)) } catch { found = .failure(error) }
          return (number, found)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  /// Plans one entry. A failure concerns only it, or all entries of an unreachable backend: others belong to other
  /// services or runs.
  mutating func step(_ entry: JournalEntry) async throws -> UndoStep {
    var step: UndoStep
    if let reason = lost[entry.backend] {
      step = UndoStep(entry, obstacle: reason)
    } else {
      do { step = try await planned(entry) } catch {
        let failed = ports.failure(error)
        guard failed.status != .interrupted else { throw error }
        failure = failure ?? failed
        if failed.status == .unreachable || failed.error?.code == .unauthorized {
          lost[entry.backend] = failed.sentence
        }
        step = UndoStep(entry, obstacle: failed.sentence)
      }
    }
    step.isOwn = entry.run == ports.run.console.journal?.run
    return step
  }

  private mutating func planned(_ entry: JournalEntry) async throws -> UndoStep {
    if let doubt = undone[entry.number] {
      return UndoStep(
        entry,
        obstacle: doubt.map { "entry \($0) may have undone it; to find out, run journal check \($0)" }
          ?? "it has already been undone")
    }
    if entry.isBeingSent { return UndoStep(entry, obstacle: "it is being sent") }
    if entry.outcome == .unknown {
      return UndoStep(entry, obstacle: "its outcome is unknown; use journal check \(entry.number) to check the record")
    }
    guard entry.outcome == .done else { return UndoStep(entry, obstacle: "it changed nothing") }
    if entry.code == "notKept" { return UndoStep(entry, obstacle: "the server did not store it") }
    guard ["create", "update", "delete"].contains(entry.verb) else {
      return UndoStep(entry, obstacle: "the effect of a \(entry.verb) is unknown")
    }
    guard let id = entry.id else {
      return UndoStep(entry, obstacle: "the server did not report the identifier of the record")
    }
    guard !id.contains(text: Blanking.mark) else {
      return UndoStep(entry, obstacle: "the identifier contains a secret and was not recorded")
    }
    if entry.verb == "delete", let later = try JournalEntries(ports).laterDeletion(than: entry) {
      let number = later.number
      return UndoStep(entry, obstacle: "entry \(number) deletes the record, too; use undo --entry \(number)")
    }
    let (found, obstacle) = try JournalEntries(ports).target(of: entry)
    guard let target = found else { return UndoStep(entry, obstacle: obstacle) }
    try target.checkWritable()
    let resource = try await target.client.resource(target.path)
    let key = Key(backend: entry.backend, resource: entry.resource, id: id)
    let now: Object?
    var seen: Record?
    switch planned[key] {
    case .record(let fields): now = fields
    case .gone: now = nil
    case nil:
      guard resource.capabilities.operations.contains(.get) else {
        return UndoStep(entry, obstacle: "\(entry.resource) cannot be read")
      }
      let record =
        if let looked = looked[entry.number] { try looked.get() } else { try await target.existing(RecordID(id)) }
      // The inverse requires the revision just read.
      if let record { target.client.see(record, in: target.path) }
      now = record?.fields
      seen = record
    }
    var step = UndoStep(entry)
    step.target = target
    step.record = seen
    switch entry.verb {
    case "update": plan(update: &step, RecordID(id), now, resource)
    case "create": try await plan(creation: &step, RecordID(id), now, resource)
    default: try await plan(deletion: &step, RecordID(id), now, resource)
    }
    if let write = step.write {
      // The service has shown all values that are restored.
      target.client.accept(fields: write.fieldNames, of: resource.name)
      do { try await WriteChecks(ports).check(write, of: target) } catch {
        step.write = nil
        step.obstacle = ports.failure(error).sentence
      }
    }
    if step.write?.isDeletion == true, target.path == ResourcePath(name: resource.name), !resource.identifier.mayRepeat
    {
      deleted[entry.backend, default: [:]][resource.name, default: []].insert(id)
    }
    guard repeated.contains(entry.recordKey) else { return step }
    switch step.write {
    case .update?:
      var fields = now ?? Object()
      for case (let name, .restored(_, let value)) in step.fates { fields[name] = value }
      planned[key] = .record(fields)
    case .delete?: planned[key] = .gone
    case .create?: planned[key] = .record(entry.before?.fields ?? Object())
    case .act?, nil: break
    }
    return step
  }

  // MARK: An update

  private func plan(update step: inout UndoStep, _ id: RecordID, _ now: Object?, _ resource: ResourceDescription) {
    guard let sent = step.entry.sent else { return step.obstacle = "what was sent is unknown" }
    guard let now else { return step.obstacle = "the record does not exist" }
    var changes: [Change] = []
    for name in sent.sentNames {
      let fate = fate(of: name, sent, step.entry, now, resource)
      step.fates.append((name, fate))
      guard case .restored(let from, let to) = fate else { continue }
      step.expected[name] = from ?? .null
      let can = resource.capabilities
      let isCleared = to.map { $0 == .null && can.canClear && !can.clearsByNull } ?? true
      changes.append(isCleared ? .unset(name) : .set(name, to ?? .null))
    }
    let sentNames = Set(sent.sentNames)
    let emptied = (step.entry.before?.fields ?? Object()).members.filter { name, value in
      !sentNames.contains(name) && resource.field(named: name)?.isReadOnly != true
        && value.isLost(now[name] ?? .null)
    }
    if !emptied.isEmpty {
      step.notes.append("\(NameList.text(emptied.map(\.0))) had values before the write and now none, which is left so")
    }
    guard !changes.isEmpty else {
      step.isSettled = !step.fates.contains { $0.fate.isLost }
      return step.obstacle = step.isSettled ? "the record is as it was before" : "no field of it can be restored"
    }
    step.write = .update(step.target?.path ?? ResourcePath(name: resource.name), id, changes)
  }

  private static let unrecorded = "its previous value was not recorded; `set journal full` records it"

  private func fate(
    of name: String, _ sent: JournalImage, _ entry: JournalEntry, _ now: Object, _ resource: ResourceDescription
  ) -> UndoStep.Fate {
    if resource.field(named: name)?.file != nil { return .unknown("it is a file, and file content is not recorded") }
    guard let before = entry.before else { return .unknown(Self.unrecorded) }
    let old: Value?
    switch before.value(of: name) {
    case .value(let value): old = value
    case .absent: old = nil
    case .unknown("secret"): return .unknown("secret, not recorded")
    case .unknown: return .unknown(Self.unrecorded)
    }
    let current = now[name]
    let left: Value?
    switch entry.after?.value(of: name) {
    case .value(let value)?: left = value
    case .absent?: left = nil
    case .unknown?, nil:
      let parts = sent.parts.members.filter { FieldPath($0.0).field == name }
      if !parts.isEmpty {
        let isShown = parts.allSatisfy { (FieldPath($0.0).value(in: now) ?? .null).isSame(as: $0.1) }
        left = isShown ? current : .string("")
      } else if sent.gaps.contains(name) {
        return .unknown("secret, not recorded")
      } else {
        left = sent.fields[name]
      }
    }
    if resource.isSame(old, current, in: name) { return .unchanged }
    guard resource.isSame(left, current, in: name) else { return .changed(left: left, now: current) }
    return .restored(from: current, to: old)
  }

  // MARK: A creation

  private mutating func plan(
    creation step: inout UndoStep, _ id: RecordID, _ now: Object?, _ resource: ResourceDescription
  ) async throws {
    guard let target = step.target else { return }
    let isNamed = resource.identifier.field.map { step.entry.sent?.fields[$0] != nil } ?? false
    if step.entry.settled != nil, !isNamed {
      return step.obstacle = "the record was found by its values and may be a different one; delete \(id) deletes it"
    }
    guard let now else { return step.obstacle = "the record no longer exists" }
    for (name, value) in (step.entry.after?.fields ?? Object()).members
    where resource.field(named: name)?.takesValues != false {
      step.expected[name] = value
      if !resource.isSame(value, now[name], in: name) {
        step.fates.append((name, .changed(left: value, now: now[name])))
      }
    }
    guard step.fates.isEmpty else { return step.obstacle = "the record has changed since" }
    let after = step.entry.after
    let added = now.members.filter { name, value in
      guard !value.isEmptyOfItsKind, resource.field(named: name)?.takesValues != false,
        step.entry.sent?.fields[name] == nil, case .absent? = after?.value(of: name)
      else { return false }
      return true
    }
    guard added.isEmpty else {
      return step.obstacle =
        "the record has fields that the response to its creation did not show: \(NameList.text(added.map(\.0)));"
        + " delete \(id) deletes it"
    }
    guard let sent = step.entry.sent else { return step.obstacle = "what was sent is unknown" }
    let byHand = "delete \(id) deletes it"
    // The identifier in a response is a claim: only sent values show that this is the record. A service may store some
    // of them differently, as the response then showed.
    let taken = sent.fields.members.filter { resource.field(named: $0.0)?.takesValues != false }
    let stored = taken.filter { resource.isSame($0.1, now[$0.0], in: $0.0) }
    let isShown = stored.contains { name, value in
      // A value that many records have does not identify one.
      if case .bool = value { return false }
      guard !value.isEmptyOfItsKind else { return false }
      return resource.field(named: name)?.defaultValue.map { !$0.isSame(as: value) } ?? true
    }
    for (name, value) in stored { step.expected[name] = value }
    let storedNames = Set(stored.map(\.0))
    let others = taken.filter { !storedNames.contains($0.0) }
    // A field that neither the record then nor the one now has is one that the service ignores.
    let ignored = others.map(\.0).filter { after?.value(of: $0) == .absent && now[$0] == nil }
    let other = others.first { name, value in
      guard isShown else { return true }
      guard case .value(let shown)? = after?.value(of: name) else { return !ignored.contains(name) }
      // Any other value may be that of a record which the response wrongly named.
      return shown.hasContent && !shown.isMade(of: value)
    }
    if let other {
      return step.obstacle = "the record \(id) does not show what was sent for it: \(other.0); \(byHand)"
    }
    guard sent.gaps.isEmpty else {
      return step.obstacle =
        "\(NameList.text(sent.gaps)) was sent as a secret, which cannot be compared with the record \(id); \(byHand)"
    }
    for name in ignored where !hidden.contains(name) { hidden.append(name) }
    guard !taken.isEmpty else {
      return step.obstacle = "none of the values sent shows that \(id) is the record that was created; \(byHand)"
    }
    let references = try await ReferrerSearch(client: target.client).references(
      to: id, resource, except: deleted[step.entry.backend] ?? [:], maximumScan: ports.run.settings.maxScan)
    if let found = references.open { return step.obstacle = found }
    step.waitsForOthers = references.mayEnd
    step.write = .delete(target.path, .one(id))
  }

  // MARK: A deletion

  private func plan(
    deletion step: inout UndoStep, _ id: RecordID, _ now: Object?, _ resource: ResourceDescription
  ) async throws {
    guard now == nil else { return step.obstacle = "a record with this identifier exists" }
    guard let before = step.entry.before else {
      return step.obstacle =
        "the record was not read before it was deleted; `set journal full` records it"
    }
    var fields = Object()
    let isKept = resource.capabilities.takesIdentifiers
    for (name, value) in before.fields.members {
      if name == resource.identifier.field {
        if isKept { fields[name] = value }
      } else if resource.field(named: name)?.file != nil {
        step.fates.append((name, .unknown("it is a file, and file content is not recorded")))
      } else if resource.field(named: name)?.isReadOnly == true {
        step.fates.append((name, .readOnly))
      } else {
        fields[name] = value
        step.fates.append((name, .restored(from: nil, to: value)))
      }
    }
    for name in before.gaps { step.fates.append((name, .unknown("secret, not recorded"))) }
    for name in before.unloaded { step.fates.append((name, .unknown(Self.unrecorded))) }
    if before.isPartial { step.notes.append("fields omitted by the list are unknown") }
    if !isKept {
      let others = try await step.target?.client.describe(.known).resources ?? []
      let referring = others.filter { $0.fields.contains { $0.reference?.resource == resource.name } }.map(\.name)
      let rest = referring.isEmpty ? "" : "; records of \(NameList.text(referring)) that refer to \(id) are not changed"
      step.notes.append("the record gets a new identifier\(rest)")
    }
    step.notes += Self.along(before, resource)
    step.write = .create(step.target?.path ?? ResourcePath(name: resource.name), fields)
  }

  private static func along(_ before: JournalImage, _ resource: ResourceDescription) -> [String] {
    if !before.along.isEmpty {
      return before.along.members.map { name, count in
        "\(count.integer.map { "\($0) records" } ?? "records") of \(name) were deleted with it and are not restored"
      }
    }
    return resource.dependents.compactMap(\.resource).map {
      "records of \($0) that referred to it may have been deleted with it; they are not restored"
    }
  }
}

extension Value {
  /// Returns whether the present value has nothing left of it.
  fileprivate func isLost(_ now: Value) -> Bool {
    guard now.hasContent else { return hasContent }
    return !isEmptyOfItsKind && now.isEmptyOfItsKind && !isSame(as: now)
  }
}
