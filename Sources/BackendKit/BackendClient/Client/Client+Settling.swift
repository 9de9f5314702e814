import BackendKit

extension Client {
  /// Reads once to find out if a write of unknown outcome took effect.
  ///
  /// A record in the requested state makes it a receipt. Anything else leaves it unknown: the request may still arrive.
  func settle(
    _ write: Write, of resource: ResourceDescription, after error: BackendError
  ) async throws(BackendError) -> WriteReceipt {
    // A job that continues reports its own outcome.
    if error.job != nil { throw error }
    if error.effect == .unknown, write.sendsFile {
      throw error.with(effect: .unknown, hint: "records do not show file content; check the file before retrying")
    }
    guard error.effect == .unknown, error.code != .cancelled, !Task.isCancelled,
      resource.capabilities.operations.contains(.get), let id = write.settlingID(in: resource)
    else {
      guard error.effect == .unknown, case .create = write else { throw error }
      throw error.with(
        effect: .unknown, hint: "check whether the record was created before retrying: journal check looks for it")
    }
    if write.isDeletion, resource.capabilities.keepsDeleted {
      throw error.with(effect: .unknown, hint: "a deleted record can still be read: journal check looks at the list")
    }
    let found: Record?
    switch await backend.presence(of: id, in: write.resource) {
    case .there(let record): found = record
    case .gone: found = nil
    case .unclear: throw error
    }
    guard write.isDone(in: found, of: resource) else {
      let seen = found == nil ? "there is no such record" : "the record does not have the values that were sent"
      throw error.with(
        effect: .unknown,
        hint:
          "\(write.isDeletion ? "a read shows that the record still exists" : "a read shows that \(seen)"), but the request may still arrive"
      )
    }
    let shown = found == nil ? "that the record is gone" : "the record with the values that were sent"
    return WriteReceipt(
      id: id, record: found, writes: resource.capabilities.writes, notes: ["\(error.message); a read shows \(shown)"],
      // Other changes that the write made were not reported.
      changesResources: true)
  }
}

extension Write {
  fileprivate var isDeletion: Bool {
    if case .delete = self { true } else { false }
  }

  /// The record that shows whether the write was done; nil if it cannot be identified.
  fileprivate func settlingID(in resource: ResourceDescription) -> RecordID? {
    if case .act = self { return nil }
    guard case .create(_, let fields) = self else { return id }
    return resource.capabilities.takesIdentifiers ? resource.identifier.identifier(in: fields) : nil
  }

  /// Returns whether a record, or its absence if nil, is the state that the write asks for.
  fileprivate func isDone(in record: Record?, of resource: ResourceDescription) -> Bool {
    guard let record else { return isDeletion }
    guard record.isWhole else { return false }
    switch self {
    case .delete, .act: return false
    case .create, .update: return WantedFields(self).isShown(by: record.fields, of: resource)
    }
  }
}
