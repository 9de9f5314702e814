import BackendClient
import BackendKit
import Synchronization

/// The suite's own records: created as described, marked, and removed one by one.
final class Sandbox: Sendable {
  /// The common prefix of all marks.
  static let prefix = "switchboard-conformance-"

  let mark: String
  /// The fields that accept generated values; nil until tested.
  let changeable = Mutex<[FieldDescription]?>(nil)
  let learned = Mutex<[FieldDescription]?>(nil)
  /// The fields that refer to the owner of a record; nil until searched for.
  let owners = Mutex<Set<String>?>(nil)
  /// The length up to which a list without a known second page is known to be whole.
  let wholeLength = Mutex(0)
  private let subject: ConformanceSubject
  private let backend: JudgedBackend
  private let resource: ResourceDescription
  /// The path from which its records can be deleted; nil if they cannot.
  private let removal: ResourcePath?
  private let watch: CallMonitor
  private let number = Mutex(0)
  private let state = Mutex(State())

  private struct State {
    var template: RecordTemplate?
    /// True if the server stores writes; nil until tested.
    var keeps: Bool?
    /// A listed record that cannot be read by its identifier, and perhaps not deleted either.
    var unreachable: RecordID?
    var own: [RecordID] = []
    /// Records that exist only if a call did something wrong or unreported.
    var possible: Set<RecordID> = []
    var stock: [RecordID] = []
    /// Records that could not be deleted; true if the service did not find them, although nothing had deleted them.
    var unsure: [RecordID: Bool] = [:]
    var left: [RecordID] = []
  }

  init(
    _ subject: ConformanceSubject, backend: JudgedBackend, resource: ResourceDescription,
    removingFrom removal: ResourcePath?, watch: CallMonitor
  ) {
    self.subject = subject
    self.backend = backend
    self.watch = watch
    (self.resource, self.removal) = (resource, removal)
    mark = Sandbox.prefix + String(UInt32(truncatingIfNeeded: subject.run), radix: 36)
  }

  private var path: ResourcePath { subject.resource }

  var leftBehind: [RecordID] { state.withLock { $0.left } }

  // MARK: Creating

  /// Returns the fields of a new valid record, with the mark.
  func fields() async throws(CheckStop) -> Object {
    try await template().fields(mark: mark, run: subject.run, number: number.next())
  }

  func template() async throws(CheckStop) -> RecordTemplate {
    if let made = state.withLock({ $0.template }) { return made }
    var sample: Record?
    if resource.capabilities.operations.contains(.list) {
      // Many, as records seen before the first creation are known not to be the suite's.
      sample = try? await backend.page(ListQuery(path), enough: 200).records.first
    }
    guard let template = RecordTemplate(resource, like: sample, markLength: mark.utf8.count + 6) else {
      throw .notApplicable("no text field can hold the mark by which the suite recognizes its records")
    }
    state.withLock { $0.template = template }
    return template
  }

  /// Registers a record that a law has created, for removal.
  func adopt(_ id: RecordID?) {
    guard let id else { return }
    state.withLock { state in
      state.own.append(id)
      state.possible.remove(id)
    }
  }

  /// Registers a record that exists if a call did something wrong or unreported.
  func adopt(possible id: RecordID?) {
    guard let id else { return }
    state.withLock { state in
      if !state.own.contains(id) { state.possible.insert(id) }
      state.own.append(id)
    }
  }

  /// Finds the record with these fields, whose identifier is in no response, for removal.
  func find(_ sent: Object) async -> RecordID? {
    guard resource.capabilities.operations.contains(.list), let template = try? await template(),
      let text = sent[template.markField]?.text, text.hasPrefix(mark)
    else { return nil }
    var (ids, count): ([RecordID], Int) = ([], 0)
    try? await backend.eachPage(of: ListQuery(path), enough: LawContext.walkedRecords) { page in
      ids += page.records.filter { $0.fields[template.markField]?.text == text }.compactMap(\.id)
      count += page.records.count
      return count >= LawContext.walkedRecords
    }
    for id in ids { adopt(id) }
    return ids.first
  }

  /// Ends the law unless the suite may create records, stored or not, and can remove them.
  func needsMaking() throws(CheckStop) {
    let operations = resource.capabilities.operations
    if subject.isReadOnly { throw .notApplicable(subject.reasonAgainstWriting) }
    guard operations.contains(.create) else { throw .notApplicable("the resource does not declare create") }
    guard removal != nil || subject.isSandbox else {
      throw .notApplicable("records that the suite creates could not be deleted")
    }
    if let id = state.withLock({ $0.unreachable }) {
      throw .notApplicable("the record \(id), which was created, is in the list and cannot be read by its identifier")
    }
  }

  /// Ends the law unless the suite may create records that the server stores.
  func needsWriting() async throws(CheckStop) {
    try needsMaking()
    if resource.capabilities.writes == .echoed { throw .notApplicable("the server does not keep what is written") }
    if state.withLock({ $0.keeps }) == nil {
      let keeps = resource.capabilities.writes == .kept ? true : try await triedKeeping()
      state.withLock { $0.keeps = keeps }
    }
    try needsMaking()
    if state.withLock({ $0.keeps }) == false { throw .notApplicable("the server does not keep what is written") }
  }

  /// Creates a record to see whether it is stored, if the adapter cannot know.
  private func triedKeeping() async throws(CheckStop) -> Bool {
    let (id, fields) = try await created()
    if !resource.capabilities.operations.contains(.get) { return true }
    do {
      _ = try await backend.get(id)
      return true
    } catch {
      // It may be elsewhere than expected.
      if let listed = await find(fields) {
        state.withLock { $0.unreachable = listed }
        return true
      }
      state.withLock { $0.own.removeAll { $0 == id } }
      return false
    }
  }

  /// Creates records that are removed after the law.
  func make(_ count: Int) async throws(CheckStop) -> [RecordID] {
    try await needsWriting()
    var ids: [RecordID] = []
    for _ in 0..<count { ids.append(try await created().id) }
    return ids
  }

  /// Creates records that later laws can use but not change.
  func stock(_ count: Int) async throws(CheckStop) {
    let ids = try await make(count)
    state.withLock { state in
      state.own.removeAll { ids.contains($0) }
      state.stock += ids
    }
  }

  private func created() async throws(CheckStop) -> (id: RecordID, fields: Object) {
    let fields = try await fields()
    do {
      let receipt = try await backend.create(fields)
      adopt(receipt.id)
      if let id = receipt.id { return (id, fields) }
      if let id = await find(fields) { return (id, fields) }
    } catch {
      throw .breach("a record was created", expected: "a receipt", found: "the error \(error)")
    }
    throw .notApplicable("the server does not report the identifiers of the records it creates")
  }

  // MARK: Removing

  /// Removes a record before its law has ended.
  func discard(_ id: RecordID) async {
    state.withLock { $0.own.removeAll { $0 == id } }
    await remove([id])
  }

  /// Removes the records of the last law.
  func clean() async {
    await remove(
      state.withLock { state in
        defer { state.own = [] }
        return state.own
      })
  }

  /// Removes all records of the run by their identifiers, and unreported ones by the mark.
  func close() async {
    await clean()
    await remove(
      state.withLock { state in
        defer { state.stock = [] }
        return state.stock
      })
    let operations = resource.capabilities.operations
    let (isMade, wasKept) = (number.withLock { $0 > 0 }, state.withLock { $0.keeps == true })
    // A record that cannot be read may still be stored.
    guard isMade, !subject.isReadOnly, resource.capabilities.writes != .echoed, let removal else { return }
    let cleanup = TestRecordCleanup(
      backend: backend, removal: removal, mark: mark, keepsDeleted: resource.capabilities.keepsDeleted)
    let listed = operations.contains(.list) ? try? await cleanup.run() : nil
    var left = listed?.left ?? []
    let known = Set(left + (listed?.removed ?? []))
    let unsure = wasKept ? state.withLock { $0.unsure } : [:]
    for (id, isMissing) in unsure.sorted(by: { $0.key.text < $1.key.text }) where !known.contains(id) {
      do throws(BackendError) { try await delete(id, from: removal) } catch {
        if isMissing || error.code != .notFound { left.append(id) }
      }
    }
    state.withLock { [left] in $0.left = left }
  }

  /// Deletes a record. One that is deleted without its owner must have the mark, as the identifier may be that of any.
  private func delete(_ id: RecordID, from removal: ResourcePath) async throws(BackendError) {
    if removal != path {
      guard try await backend.inner.get(id, from: removal).fields.isMarked(mark) else {
        throw BackendError(.forbidden, "the record \(id) is not one of the suite", effect: .notSent)
      }
    }
    _ = try await backend.delete(.one(id), from: removal, revision: nil)
  }

  private func remove(_ ids: [RecordID]) async {
    guard let removal else { return }
    for id in ids {
      do throws(BackendError) { try await delete(id, from: removal) } catch {
        let isMissing = error.code == .notFound
        state.withLock { state in
          let isGone = isMissing && (watch.mayHaveDeleted(id) || state.possible.contains(id))
          if !isGone, state.keeps == true { state.unsure[id] = isMissing }
        }
      }
    }
  }
}
