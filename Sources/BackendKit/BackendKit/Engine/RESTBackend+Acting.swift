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
    let (below, rest) = try fact.filled(fields)
    address = try RequestPath(segments: address.segments + below)
    let effect = fact.description.effect
    let request =
      rest.isEmpty
      ? HTTPRequest(fact.method, address, headers: service.headers, effect: effect)
      : send(
        fact.body == .list ? .array([.object(rest)]) : .object(rest), fact.method, address, effect: effect)
    let answer = try await perform(request, place, id)
    let document = try await answer.accepted(.applied, "accepted the action") { () throws(BackendError) in
      try await answer.body.jsonIfAny()
    }
    var receipt = WriteReceipt(id: id, writes: writes(resource))
    guard let document = document ?? nil else {
      if fact.answersList { receipt.answer = .array([]) }
      return receipt
    }
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
