public import BackendKit

extension ReferenceBackend {
  /// Deletes all records or one, if it still has the given revision.
  public func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let declared = try self.resource(resource, deletion == .all ? .deleteAll : .delete)
    if revision != nil, deletion == .all || !declared.description.capabilities.deletesAtRevision {
      throw .unsupported("a deletion from \(resource) cannot be conditional on a revision")
    }
    var request = HTTPRequest("DELETE", try RequestPath(resource.name), effect: .repeatableWrite)
    guard case .one(let id) = deletion else {
      _ = try await answer(to: request)
      return WriteReceipt(id: nil, writes: writes(declared))
    }
    request.path = try RequestPath(resource.name, id.text)
    if let revision { request.headers.append(("If-Match", revision)) }
    _ = try await answer(to: request)
    return await settled(WriteReceipt(id: id, writes: writes(declared)), declared) { $0 == nil ? .kept : .echoed }
  }

  /// Performs a described action.
  public func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    let declared = try self.resource(resource)
    let described = try declared.description.checkAction(action, on: id)
    let request = HTTPRequest(
      "POST", try RequestPath(segments: [resource.name] + [id?.text, action].compactMap(\.self)),
      body: ReferenceBackend.body(.object(fields)), effect: described.effect)
    if id != nil { return try await receipt(of: request, declared, sent: fields, expecting: id) }
    return WriteReceipt(
      id: nil, writes: writes(declared), answer: try await ReferenceWire.json(try await answer(to: request)))
  }
}
