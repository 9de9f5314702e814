import BackendKit

extension JSONPlaceholderBackend {
  /// Sends changed fields; returns what the server answered.
  func patch(
    _ id: RecordID, in collection: ServerCollection, _ fields: Object
  ) async throws(BackendError) -> Object? {
    let request = try requests.patch(collection.name, id, fields)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, "\(collection.name)/\(id)") }
    let object = try await answers.object(answer, .unknown)
    // A server that keeps nothing echoes the change of a missing record, without an identifier.
    if object?["id"] == nil, try await find(collection.name, id) == nil {
      throw BackendError(.notFound, "there is no \(collection.name)/\(id)", effect: .rejected)
    }
    return object
  }

  /// Sends a whole record; returns what the server answered.
  func replace(
    _ id: RecordID, in collection: ServerCollection, _ fields: Object
  ) async throws(BackendError) -> Object? {
    let request = try requests.replace(collection.name, id, fields)
    let answer = try await exchange.send(request)
    if answer.status == 500, await isThere(collection.name, id) == false {
      // A server that keeps nothing fails at a missing record instead of saying so.
      throw BackendError(.notFound, "there is no \(collection.name)/\(id)", effect: .rejected)
    }
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, "\(collection.name)/\(id)") }
    return try await answers.object(answer, .unknown)
  }

  /// What became of a deletion that was answered with 500: where any record's owner is null, the server fails after
  /// it has deleted.
  func explain(
    failedDeletion answer: HTTPAnswer, _ request: HTTPRequest, _ id: RecordID, in collection: ServerCollection
  ) async -> BackendError {
    var error = await answers.failure(answer, of: request, "\(collection.name)/\(id)")
    guard await isThere(collection.name, id) == false else { return error }
    error.message += ", yet \(collection.name)/\(id) is gone"
    error.hint = "look for records whose owner, a field ending in Id, is null: they make every deletion fail"
    error.effect = .applied
    return error
  }

  /// The new record where a response that could not be read says that it is; nil where it is not that one.
  func located(_ answer: HTTPAnswer, _ draft: Draft, in collection: ServerCollection) async -> Record? {
    guard let id = answers.identifier(inLocationOf: answer, below: collection.name) else { return nil }
    do {
      guard let found = try await find(collection.name, id) else { return nil }
      return draft.differences(from: found.fields).isEmpty ? found : nil
    } catch { return nil }
  }

  // MARK: Finding out whether a write was kept

  func confirm(
    created record: Record?, _ draft: Draft, in collection: ServerCollection
  ) async throws(BackendError) -> WriteReceipt {
    var receipt = WriteReceipt(id: record?.id, record: record, writes: await memory.writes, notes: draft.notes)
    if record?.id == nil { receipt.notes.append("the server did not tell the new record's identifier") }
    receipt.notes += draft.differences(from: record?.fields)
    if receipt.writes == .unknown, let id = record?.id {
      await readBack(collection, id, &receipt) { found in
        guard let found else { return .echoed }
        return draft.differences(from: found.fields).isEmpty ? .kept : .unknown
      }
    }
    return receipt
  }

  func confirm(
    updated id: RecordID, _ draft: Draft, before: Record?, answered: Object?, in collection: ServerCollection
  ) async throws(BackendError) -> WriteReceipt {
    if let other = RecordID(answered?["id"]), other != id { throw .answeredWith(other, effect: .unknown) }
    var receipt = WriteReceipt(id: id, writes: await memory.writes, notes: draft.notes)
    receipt.record = answered.map { Record(id: id, fields: $0) }
    receipt.notes += draft.differences(from: answered)
    // A change that changes nothing shows nothing either.
    if receipt.writes == .unknown, let before, !draft.isDone(in: before.fields) {
      await readBack(collection, id, &receipt) { found in
        guard let found else { return .unknown }
        if draft.isDone(in: found.fields) { return .kept }
        return found.fields == before.fields ? .echoed : .unknown
      }
    }
    return receipt
  }

  func confirm(deleted id: RecordID, in collection: ServerCollection) async throws(BackendError) -> WriteReceipt {
    var receipt = WriteReceipt(id: id, writes: await memory.writes)
    if receipt.writes == .unknown {
      await readBack(collection, id, &receipt) { $0 == nil ? .kept : .echoed }
    }
    if receipt.writes != .echoed, !resources.dependents(of: collection).isEmpty {
      receipt.notes.append("what belonged to it in \(collection.children.joined(separator: ", ")) went with it")
    }
    return receipt
  }

  /// Reads a record once more to see whether the server kept a write. Failing to read takes nothing from the write.
  private func readBack(
    _ collection: ServerCollection, _ id: RecordID, _ receipt: inout WriteReceipt,
    judge: (Record?) -> Capabilities.Writes
  ) async {
    do {
      receipt.writes = judge(try await find(collection.name, id))
      await memory.learn(receipt.writes)
    } catch {
      receipt.notes.append("whether the server keeps it could not be found out: \(error.message)")
    }
  }
}
