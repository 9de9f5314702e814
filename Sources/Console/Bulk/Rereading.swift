import BackendClient
import BackendKit

/// Another look at a record just before it is written: of a change by condition as of a transfer.
extension Client {
  /// Reads the record of a write again, so that the write is sent at the revision just read, if the service has revisions. Nil if the
  /// record is gone; throws if nothing shows that it is.
  func reread(for write: Write) async throws(BackendError) -> Record? {
    guard let id = write.id else { return nil }
    switch await presence(of: id, in: write.resource) {
    case .there(let record):
      see(record, in: write.resource)
      return record
    case .gone: return nil
    case .unclear(var error):
      // What was not read is not written.
      if error.code != .cancelled { error.operation = write.verb }
      throw error.with(effect: .notSent)
    }
  }
}

/// Compares a record with what was read of it for a plan, just before it is written.
struct Recheck: Sendable {
  let resource: ResourceDescription
  let images: JournalImages

  /// Throws if the record of a step is not as it was read; nothing was sent then. A field that either of the two reads left out is not
  /// compared, and neither is one that holds a secret.
  func check(_ item: TransferItem, _ client: Client) async throws(BackendError) {
    guard let id = item.write.id, let before = item.before else { return }
    let now = try await client.reread(for: item.write)
    var conflict = BackendError(
      .conflict, "changed since it was read", effect: .notSent, hint: "run the command again",
      operation: item.write.verb,
      backend: client.name, resource: item.write.resource.description, id: id.text)
    guard let now else {
      conflict.message = "changed since it was read: it does not exist any more"
      throw conflict
    }
    let (read, shown) = (images.image(before, isPartial: true).known, images.image(now).known)
    conflict.fields = RecordDifference(read, shown, under: item.write, of: resource).messages()
    if !conflict.fields.isEmpty { throw conflict }
  }
}

extension Target {
  /// Whether each record is read again before it is written: if the command says so, and always in production.
  func rechecks(_ invocation: Invocation, _ resource: ResourceDescription) throws(UsageError) -> Bool {
    let isAsked = invocation.has("recheck")
    guard resource.capabilities.operations.contains(.get) else {
      if isAsked {
        throw UsageError(
          "--recheck reads single records, and those of \(description) cannot be read", hint: "nothing was sent")
      }
      return false
    }
    return isAsked || backend.configuration.isProduction
  }

  /// What writes of records that a list showed are not protected against, as a line of their plan; nil if each is sent at the revision
  /// that was read, or is read again first.
  func gap(in writes: some Sequence<Write>, _ resource: ResourceDescription, isRechecked: Bool) -> String? {
    let can = resource.capabilities
    guard !isRechecked else { return nil }
    let open = writes.first { write in
      guard let id = write.id else { return false }
      let heeds = if case .delete = write { can.deletesAtRevision } else { can.hasRevisions }
      return !heeds || client.revision(of: id, in: path) == nil
    }
    guard let open else { return nil }
    let effect =
      if case .delete = open { "a record that changes after the list was read is deleted all the same" } else {
        "changes that others make after the list was read are overwritten"
      }
    return can.operations.contains(.get) ? "\(effect); --recheck reads each record first" : effect
  }
}

extension WriteSender {
  /// Carries a write out as ``send(_:knowing:undoing:)`` does; nil if it deletes a record that is not there and `ignoringMissing` says
  /// that this is no failure. "Not found" alone is no proof of that: the service has to respond normally otherwise.
  func send(
    _ write: Write, knowing record: Record? = nil, ignoringMissing: Bool, _ client: Client
  ) async throws(BackendError) -> WriteReceipt? {
    do throws(BackendError) { return try await send(write, knowing: record) } catch {
      guard ignoringMissing, error.isNothingThere, let id = write.id else { throw error }
      switch await client.presence(of: id, in: write.resource) {
      case .gone: return nil
      case .there: throw error
      case .unclear(let doubt):
        guard doubt.code != .cancelled else { throw doubt }
        var unclear = error
        unclear.message += "; the record may exist all the same: \(doubt.message)"
        throw unclear
      }
    }
  }
}
