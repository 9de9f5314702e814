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
        "unknown action \"\(action)\" of \(id == nil ? "the collection" : "a record")")
    }
    exchange.secrets?.see(fields)
    if let id, place.owner != nil { _ = try await get(id, from: path) }
    var address = try self.address(of: place, isWriting: true)
    if let id { address = try self.address(id, place, isWriting: true) }
    let (below, rest) = try fact.filled(fields)
    address.path = try address.path.appending(below)
    let effect = fact.description.effect
    let input: Value? = rest.isEmpty ? nil : fact.body == .list ? .array([.object(rest)]) : .object(rest)
    let request = try send(input, .json, fact.method, address, resource, effect: effect)
    let answer = try await perform(request, place, id, as: .action)
    let document = try await answer.accepted(.applied, "accepted the action") { () throws(BackendError) in
      try await answer.body.jsonIfAny()
    }
    var receipt = WriteReceipt(id: id, writes: writes(resource), notes: answer.doneNotes)
    guard let read = document, let document = read, document != .null else {
      if fact.answersList { receipt.answer = .array([]) }
      return receipt
    }
    // The response may be the record as it is afterwards, or anything else.
    if let id, let record = try? decode(document, resource, answer), isSame(record.id, id, resource) {
      receipt.record = record
      receipt.revision = record.revision
    } else {
      receipt.answer = document
    }
    return receipt
  }
}
