public import BackendKit
import Synchronization

/// A write as a value, which can be shown, stored and performed.
public enum Write: Sendable, Hashable {
  /// The revision that a change or deletion requires.
  public enum RevisionUse: Sendable, Hashable {
    /// The known one, if the service supports revisions.
    case known
    /// None.
    case none
  }

  /// Makes a record.
  case create(ResourcePath, Object)
  /// Changes a record: whole fields, and parts of fields.
  case update(ResourcePath, RecordID, [Change], parts: [PartChange] = [], revision: RevisionUse = .known)
  /// Deletes a record, or all.
  case delete(ResourcePath, Deletion, revision: RevisionUse = .known)
  /// Performs an action of a record, or of the collection.
  case act(ResourcePath, RecordID?, String, Object)

  /// The resource written to.
  public var resource: ResourcePath {
    switch self {
    case .create(let path, _), .update(let path, _, _, _, _), .delete(let path, _, _), .act(let path, _, _, _): path
    }
  }

  /// The record written to, if it exists already.
  public var id: RecordID? {
    switch self {
    case .update(_, let id, _, _, _), .delete(_, .one(let id), _): id
    case .act(_, let id, _, _): id
    case .create, .delete: nil
    }
  }

  /// The verb.
  public var verb: String {
    switch self {
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    case .act(_, _, let action, _): action
    }
  }

  /// The parts of fields that it changes.
  public var parts: [PartChange] {
    if case .update(_, _, _, let parts, _) = self { parts } else { [] }
  }

  /// The fields that it sets or clears.
  public var fieldNames: [String] {
    switch self {
    case .create(_, let fields), .act(_, _, _, let fields): fields.names
    case .update(_, _, let changes, let parts, _): changes.map(\.field) + parts.map(\.field)
    case .delete: []
    }
  }

  /// The members of a record that it may change: those fields, and for parts of fields also members that are named by a
  /// whole path.
  public var members: [String] { fieldNames + parts.filter { $0.path.count > 1 }.map(\.description) }
}

/// A write about to be sent, with what is known of the record before it.
public struct PendingWrite: Sendable {
  /// The write with its defaults filled in, and with whole fields instead of parts.
  public var write: Write
  /// The parts of fields that were requested.
  public var parts: [PartChange]
  /// The record as read for the write; nil if it was not read.
  public var read: Record?
  /// The record as seen in the revision that the write requires, perhaps in a list that omits fields; nil if it
  /// requires none.
  public var seen: Record?
}

extension Client {
  /// Performs a write. Every write passes through here, and is checked against the description of its resource first.
  ///
  /// The files are those of the client, whatever the options contain. `leaving` is called when only the write's
  /// requests are left to do, and returns what it knows of the record before. If it throws, nothing is sent.
  public func perform(
    _ write: Write, with options: CallOptions = CallOptions(),
    leaving: (@Sendable (PendingWrite) async throws(BackendError) -> KnownFields?)? = nil
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await checkAndPerform(write, options, leaving)
    if receipt.changesResources { forgetDescriptions() }
    return receipt
  }

  /// Throws where ``perform(_:)`` would refuse a write without a request. `unknown` names the fields of a guess whose
  /// values are stand-ins, nil if the write is not a guess: neither these values nor the identifier of a guess are
  /// checked. Returns a note for each value that only likely facts would refuse, that is a default, or that the service is
  /// known to store otherwise; ``perform(_:)`` repeats them.
  @discardableResult
  public func check(_ write: Write, unknown: Set<String>? = nil) async throws(BackendError) -> [String] {
    do throws(BackendError) {
      let (resource, proved) = try await known(write.resource)
      let (write, defaults) = filled(write, resource)
      if let unknown {
        try checkContent(of: write, resource.withAnyValue(in: unknown), proved?.withAnyValue(in: unknown))
        return []
      }
      return try check(write, resource, proved) + defaults + (try await rehearse(write))
    } catch { throw named(error, write.verb, write.resource, write.id) }
  }

  /// Prepares a write up to its first request, which is not sent. Returns the adapter's notes on its values.
  private func rehearse(_ write: Write) async throws(BackendError) -> [String] {
    // Only the server knows the values of the fields whose parts change.
    if case .update(_, _, _, let parts, _) = write, !parts.isEmpty { return [] }
    guard let origin else { return [] }
    let exchange = SilentExchange()
    let backend = origin.attach(exchange)
    let notes = Mutex<[String]>([])
    var options = CallOptions()
    options.noted = { texts in notes.withLock { $0 = texts } }
    do { _ = try await carryOut(write, at: nil, on: backend, with: options) } catch {
      if exchange.asked == nil { throw error }
    }
    return notes.withLock(\.self)
  }

  func carryOut(
    _ write: Write, at revision: String?, on backend: any Backend, with options: CallOptions? = nil
  ) async throws(BackendError) -> WriteReceipt {
    var (backend, files) = (backend, uploads(of: write))
    // Attaching costs time, and each row of an import passes here; without options the backend can be used as it is.
    if options != nil || !files.isEmpty {
      var options = options ?? CallOptions()
      (options.files, options.changes) = (files, changes)
      backend = backend.with(options)
    }
    return switch write {
    case .create(let path, let fields): try await backend.create(fields, in: path)
    case .update(let path, let id, let changes, _, _):
      try await backend.update(id, in: path, changes: changes, revision: revision)
    case .delete(let path, let deletion, _): try await backend.delete(deletion, from: path, revision: revision)
    case .act(let path, let id, let action, let fields):
      try await backend.act(action, on: id, in: path, with: fields)
    }
  }

  private func checkAndPerform(
    _ write: Write, _ options: CallOptions,
    _ leaving: (@Sendable (PendingWrite) async throws(BackendError) -> KnownFields?)?
  ) async throws(BackendError) -> WriteReceipt {
    forgetReadAhead()
    do throws(BackendError) {
      let (resource, proved) = try await known(write.resource)
      let (write, defaults) = filled(write, resource)
      let doubts = try check(write, resource, proved)
      let prepared = try await PreparedWrite(write, resource, of: self)
      let seen = seen(by: write)
      let known = try await leaving?(
        PendingWrite(
          write: prepared.write, parts: prepared.parts, read: prepared.read,
          seen: prepared.revision == nil || prepared.revision != seen?.revision ? nil : seen))
      do throws(BackendError) {
        var receipt = try await logged { [backend] () throws(BackendError) in
          var receipt = try await carryOut(prepared.write, at: prepared.revision, on: backend, with: options)
          receipt.notes += AttemptLog.current?.notes ?? []
          return receipt
        }
        keepRevision(of: receipt, after: write)
        receipt.notes += defaults + prepared.notes + doubts
        if case .update(let path, let id, _, _, _) = write, let count = sharedIdentifiers(among: [id], in: path)[id] {
          receipt.notes.append("\(count) records have the identifier \(id): any of them may have been changed")
        }
        let before = prepared.read.map { KnownFields($0) } ?? known ?? seen.map { KnownFields($0) }
        await judge(&receipt, of: prepared.write, before: before, resource)
        return receipt
      } catch {
        if error.effect == .unknown || error.effect == .applied { forgetRevisions(after: write) }
        if error.code == .conflict, prepared.revision != nil {
          throw await explained(error, of: prepared.write, seen, resource)
        }
        return try await settle(prepared.write, of: resource, after: error.hinting(doubts))
      }
    } catch { throw named(error, write.verb, write.resource, write.id) }
  }
}

extension BackendError {
  /// The error of a write that the service refused, with the objections of its description.
  fileprivate func hinting(_ doubts: [String]) -> BackendError {
    guard effect == .rejected, hint == nil, let doubt = doubts.first else { return self }
    return with(effect: effect, hint: doubt)
  }
}

extension Client {
  /// Names the fields of an update that did not change, or perhaps did not. A response without the values that were sent
  /// may be older than the write, so a read decides.
  private func judge(
    _ receipt: inout WriteReceipt, of write: Write, before: KnownFields?, _ resource: ResourceDescription
  ) async {
    receipt.judge(write, before: before, resource)
    let doubtful = receipt.unkept + receipt.unclear.filter { resource.field(named: $0)?.file == nil }
    guard !doubtful.isEmpty, receipt.writes != .echoed, let id = write.id,
      resource.capabilities.operations.contains(.get), let read = try? await current(id, write.resource)
    else { return }
    let changed = receipt.altered.filter { name in
      !WantedFields(write).only(name).missing(in: read.fields, of: resource).isEmpty
    }
    for name in receipt.altered where !changed.contains(name) {
      receipt.notes.removeAll { $0 == WriteReceipt.note(onAltered: name) }
    }
    (receipt.altered, receipt.record) = (changed, read)
    receipt.judge(write, before: before, resource)
  }
}

extension WriteReceipt {
  /// Names the fields of an update that did not change, as the record before proves, and those for which nothing proves
  /// that they did. Without the record before, a value of another type, or one that equals the sent one except for case
  /// and white space, counts as changed.
  fileprivate mutating func judge(_ write: Write, before: KnownFields?, _ resource: ResourceDescription) {
    guard case .update(_, _, let changes, _, _) = write, let shown = record?.fields else { return }
    let before = before ?? self.before.map { KnownFields($0) }
    (unkept, unclear) = ([], [])
    for name in altered {
      guard let change = changes.last(where: { $0.field == name }) else { continue }
      if resource.field(named: name)?.file != nil {
        if (shown[name] ?? .null) == .null {
          unkept.append(name)
          // The address may hold another file than before.
        } else if before?.knows(name) != true || resource.isSame(before?.fields[name], shown[name], in: name) {
          unclear.append(name)
        }
        continue
      }
      if let before, before.knows(name) {
        if resource.isSame(before.fields[name], shown[name], in: name) { unkept.append(name) }
        continue
      }
      let value = shown[name] ?? .null
      let isChanged =
        if case .set(_, let sent) = change { value.isMade(of: sent) } else { value.isEmptyOfItsKind }
      if !isChanged { unclear.append(name) }
    }
    // The receipt itself reports these.
    for name in unkept { notes.removeAll { $0 == Self.note(onAltered: name) } }
  }
}
