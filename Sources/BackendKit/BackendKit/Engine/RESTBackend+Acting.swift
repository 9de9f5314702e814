extension RESTBackend {
  /// Sends the request of an action.
  public func act(
    _ action: String, on id: RecordID?, in path: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    let resource = place.resource
    guard let fact = resource.actions.first(where: { $0.description.name == action }),
      (fact.description.subject == .record) == (id != nil)
    else {
      throw .unsupported(
        "\(resource.name) has no action \"\(action)\" \(id == nil ? "of the collection" : "of a record")")
    }
    let base = resource.writePath ?? resource.path
    var address = base
    if let id { address = try self.path(id, resource, base) }
    address = try RequestPath(segments: address.segments + fact.path)
    let effect = fact.description.effect
    let request =
      fields.isEmpty
      ? HTTPRequest(fact.method, address, headers: service.headers, effect: effect)
      : send(.object(fields), fact.method, address, effect: effect)
    let answer = try await perform(request, place, id)
    let document = try await answer.accepted(.applied, "accepted the action") { () throws(BackendError) in
      try await answer.body.jsonIfAny()
    }
    var receipt = WriteReceipt(id: id, writes: writes(resource))
    guard let document = document ?? nil else { return receipt }
    // What it answers with may be the record as it is then, or anything else.
    if let id, let record = try? decode(document, resource, answer), isSame(record.id, id, resource) {
      receipt.record = record
      receipt.revision = record.revision
    } else {
      receipt.answer = document
    }
    return receipt
  }
}
