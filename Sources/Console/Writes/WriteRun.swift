import BackendClient
import BackendKit
import Synchronization

enum WriteOutcome: Sendable {
  indirect case written(Written)
  /// The condition that selected the record no longer holds.
  case skipped
  /// There was nothing to delete, which is not a failure.
  case notThere
  /// An earlier run has done it.
  case doneBefore
}

struct Written: Sendable {
  let planned: PlannedWrite
  let place: WritePlace
  var receipt: WriteReceipt
  /// The present record, if a program gets it, or the reason why it could not be read.
  var record: Result<Record, BackendError>?
  /// The stored fields, as far as known.
  var stored: Object?

  var write: Write { planned.write }
  var id: RecordID? { receipt.id ?? write.id }
}

/// Sends planned writes, each after a check of its record. Independent of a session, so that several can be sent
/// concurrently.
struct WriteRun: Sendable {
  enum ReadBack: Sendable {
    case nothing
    /// The record, for programs.
    case record
    /// The stored fields, to compare them with those sent: from a response that shows them, for a new record with its
    /// key; with `confirmed` from a read, unless earlier reads confirmed what responses show of them.
    case stored(key: [String], confirmed: ConfirmedFields?)
  }

  let places: [WritePlace]
  var ignoresMissing = false
  var readBack = ReadBack.nothing

  func place(of planned: PlannedWrite) -> WritePlace { places[planned.at].at(planned.write.resource) }

  func send(_ planned: PlannedWrite) async throws -> WriteOutcome {
    let place = place(of: planned)
    let given = await planned.turn?.begin()
    let write = given.map { planned.renamed($0) } ?? planned
    var id = given
    defer { planned.turn?.end(with: id) }
    let outcome: WriteOutcome
    if let patience = place.patience {
      outcome = try await patience.attempt(repeats: write.creationKey != nil) { try await attempt(write, place) }
    } else {
      outcome = try await attempt(write, place)
    }
    if case .written(let written) = outcome, write.write.isCreation { id = written.receipt.id ?? id }
    return outcome
  }

  private func attempt(_ planned: PlannedWrite, _ place: WritePlace) async throws(BackendError) -> WriteOutcome {
    let record: Record?
    switch try await planned.condition.look(at: planned, in: place) {
    case .skipped: return .skipped
    case .doneBefore:
      if planned.past == .begun, let mark = planned.mark { place.ledger.marks?.row(mark).wasDone() }
      return .doneBefore
    case .send(let known?): record = known
    case .send(nil): record = try await place.ledger.previous(of: planned.write)
    }
    let receipt: WriteReceipt
    do throws(BackendError) { receipt = try await place.ledger.send(planned, knowing: record) } catch {
      guard ignoresMissing, planned.write.isDeletion, try await error.isProved(of: planned.write, place.client) else {
        throw error
      }
      return .notThere
    }
    return .written(await readBack(Written(planned: planned, place: place, receipt: receipt)))
  }

  private func readBack(_ written: Written) async -> Written {
    var written = written
    switch readBack {
    case .nothing: break
    case .record:
      do throws(BackendError) {
        let record = try await written.receipt.readWhole(
          of: written.write, written.place.target, written.place.resource)
        written.record = .success(record)
      } catch { written.record = .failure(error) }
    case .stored(let key, let confirmed):
      if let record = written.receipt.record, record.isWhole, written.shows(record.fields, key) {
        written.stored = record.fields
      }
      let doubtful = written.doubtful
      guard let confirmed, !written.write.isDeletion, written.receipt.writes != .echoed, let id = written.id,
        written.stored == nil || confirmed.lacks(doubtful),
        var read = try? await written.place.client.get(id, from: written.write.resource).fields
      else { break }
      if let shown = written.stored {
        confirmed.add(doubtful.filter { shown[$0] == read[$0] })
        // A read may be older than the response that shows the change.
        for name in doubtful where written.isAsSent(name, in: shown) && written.isUnchanged(name, in: read) {
          read[name] = shown[name]
        }
      }
      written.stored = read
    }
    return written
  }
}

/// The fields that responses to writes show as reads do, as the reads of a run confirmed: a response may show another
/// view of a record, and one may repeat what was sent.
final class ConfirmedFields: Sendable {
  private let names = Mutex<Set<String>>([])

  func lacks(_ wanted: [String]) -> Bool { names.withLock { !$0.isSuperset(of: wanted) } }

  func add(_ found: [String]) { names.withLock { $0.formUnion(found) } }
}

extension Written {
  /// The sent fields for which a read may show something else than the response: those of a change, and of a new record
  /// those that the response shows otherwise than sent.
  fileprivate var doubtful: [String] {
    guard !place.resource.capabilities.showsWritesLater else { return [] }
    return WantedFields(write).values.names.filter { name in
      !(write.isCreation && stored.map { isAsSent(name, in: $0) } == true) && !receipt.unkept.contains(name)
    }
  }

  fileprivate func isAsSent(_ name: String, in fields: Object) -> Bool {
    place.resource.isSame(WantedFields(write).values[name], fields[name], in: name)
  }

  fileprivate func isUnchanged(_ name: String, in fields: Object) -> Bool {
    planned.before?.fields[name].map { place.resource.isSame($0, fields[name], in: name) } == true
  }

  /// Returns whether a response shows a sent value, and the key of a new record, unlike `{"id": 1}`.
  fileprivate func shows(_ fields: Object, _ key: [String]) -> Bool {
    guard !write.isCreation || key.allSatisfy({ fields[$0] != nil }) else { return false }
    let names = write.members
    return names.isEmpty || names.contains { fields[$0] != nil }
  }
}

extension Error {
  /// True if the error means that there is nothing to delete.
  var isNothingThere: Bool {
    guard let error = self as? BackendError, error.code == .notFound else { return false }
    return error.effect == .rejected || error.effect == .notSent
  }
}

extension BackendError {
  /// Returns whether a read confirms that nothing was there to delete: "not found" is no proof. Throws if unclear.
  fileprivate func isProved(of write: Write, _ client: Client) async throws(BackendError) -> Bool {
    guard isNothingThere, let id = write.id else { return false }
    switch await client.presence(of: id, in: write.resource) {
    case .gone: return true
    case .there: return false
    case .unclear(let doubt):
      guard doubt.code != .cancelled else { throw doubt }
      var unclear = self
      unclear.message += "; the record may exist anyway: \(doubt.message)"
      throw unclear
    }
  }
}
