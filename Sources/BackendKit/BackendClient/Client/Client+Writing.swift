public import BackendKit

/// A write as a value: it can be shown, kept and carried out.
public enum Write: Sendable, Hashable {
  /// The revision on which a change or deletion of a record insists.
  public enum RevisionUse: Sendable, Hashable {
    /// The known one, if the service heeds revisions.
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
  /// Does something with a record, or with the collection, that the backend describes as an action.
  case act(ResourcePath, RecordID?, String, Object)

  /// The resource written to.
  public var resource: ResourcePath {
    switch self {
    case .create(let path, _), .update(let path, _, _, _, _), .delete(let path, _, _), .act(let path, _, _, _): path
    }
  }

  /// The record written to, where it is one that is there already.
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

  /// The members of a record that it may change: those fields, and of the parts of fields the members that a record may
  /// have under their whole paths.
  public var members: [String] { fieldNames + parts.filter { $0.path.count > 1 }.map(\.description) }
}

/// A write as it is about to be sent, with what is certain of the record before it.
public struct PendingWrite: Sendable {
  /// The write with its defaults filled in, and with whole fields in the place of their parts.
  public var write: Write
  /// The parts of fields that were asked for.
  public var parts: [PartChange]
  /// The record as it was read for the write; nil where it was not.
  public var read: Record?
  /// The record as it was seen in the revision that the write insists on, perhaps in a list that leaves fields out; nil
  /// where it insists on none.
  public var seen: Record?
}

extension Client {
  /// The one gate that every write goes through: checks it against what the backend says of the resource, then does it.
  ///
  /// The files are those of the client, whatever the options say. `leaving` is told of the write once nothing but its requests is left to do, and returns what it knows of the record
  /// before; what it throws is thrown, and nothing is sent.
  public func perform(
    _ write: Write, with options: CallOptions = CallOptions(),
    leaving: (@Sendable (PendingWrite) async throws(BackendError) -> KnownFields?)? = nil
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await checkAndPerform(write, options, leaving)
    if receipt.changesResources { forgetDescriptions() }
    return receipt
  }

  /// Throws where ``perform(_:)`` would refuse a write without a request. `unknown` has the fields of a guess whose values
  /// stand for others, nil if the write is none: of a guess neither these values nor the identifier are judged.
  public func check(_ write: Write, unknown: Set<String>? = nil) async throws(BackendError) {
    do throws(BackendError) {
      let (resource, proved) = try await known(write.resource)
      let write = filled(write, resource).write
      if let unknown {
        try checkContent(of: write, resource.withAnyValue(in: unknown), proved?.withAnyValue(in: unknown))
        return
      }
      _ = try check(write, resource, proved)
      try await rehearse(write)
    } catch { throw named(error, write.verb, write.resource, write.id) }
  }

  /// Carries a write out up to its first request, which is not sent.
  private func rehearse(_ write: Write) async throws(BackendError) {
    // The values of its parts' fields are known to the server only.
    if case .update(_, _, _, let parts, _) = write, !parts.isEmpty { return }
    guard let origin else { return }
    let exchange = SilentExchange()
    let backend = origin.attach(exchange)
    do { _ = try await carryOut(write, at: nil, on: backend) } catch { if !exchange.wasAsked { throw error } }
  }

  func carryOut(
    _ write: Write, at revision: String?, on backend: any Backend, with options: CallOptions? = nil
  ) async throws(BackendError) -> WriteReceipt {
    var (backend, files) = (backend, uploads(of: write))
    // Without any the backend does as it is: each row of an import is checked so.
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
  /// The error of a write that the service refused, with what its description says against it.
  fileprivate func hinting(_ doubts: [String]) -> BackendError {
    guard effect == .rejected, hint == nil, let doubt = doubts.first else { return self }
    return with(effect: effect, hint: doubt)
  }
}

extension Client {
  /// Names the fields of an update that the write did not change. A response that shows them as they were may be older
  /// than the write: a read decides.
  private func judge(
    _ receipt: inout WriteReceipt, of write: Write, before: KnownFields?, _ resource: ResourceDescription
  ) async {
    receipt.judge(write, before: before, resource)
    guard !receipt.unkept.isEmpty, receipt.writes != .echoed, let id = write.id,
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
  /// Names the fields of an update that the write did not change, as the record before it proves, and those of which
  /// nothing proves that it did. Without the record before, a value of another kind and one that is the sent one but for
  /// case and white space count as changed.
  fileprivate mutating func judge(_ write: Write, before: KnownFields?, _ resource: ResourceDescription) {
    guard case .update(_, _, let changes, _, _) = write, let shown = record?.fields else { return }
    let before = before ?? self.before.map { KnownFields($0) }
    (unkept, unclear) = ([], [])
    for name in altered {
      guard let change = changes.last(where: { $0.field == name }) else { continue }
      if resource.field(named: name)?.file != nil {
        if (shown[name] ?? .null) == .null {
          unkept.append(name)
          // Another file may be at the address where one was before.
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
    // Said by the receipt itself.
    for name in unkept { notes.removeAll { $0 == Self.note(onAltered: name) } }
  }
}
