import BackendKit

extension JSONPlaceholderBackend {
  /// Reads one record. A 404 carries `{}`, which is no empty record.
  func read(_ collection: String, _ id: RecordID, fresh: Bool = false) async throws(BackendError) -> Record {
    let request = try requests.get(collection, id, fresh: fresh)
    let answer = try await exchange.send(request)
    guard answer.status == 200 else { throw await answers.failure(answer, of: request, "\(collection)/\(id)") }
    let record = try answers.record(try await answer.body.json(), asked: id)
    guard record.id == id else {
      throw .answeredWith(record.id)
    }
    return record
  }

  /// Reads one record; nil where there is none.
  func find(_ collection: String, _ id: RecordID) async throws(BackendError) -> Record? {
    do { return try await read(collection, id, fresh: true) } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Which of these boolean fields hold 0 and 1 on this server: in the record itself, else in the first one of the collection.
  func numbers(
    among flags: [String], in record: Object?, of place: Place
  ) async throws(BackendError) -> [String] {
    var numbers: [String] = []
    for name in flags {
      var stored = record?[name] ?? .null
      if stored == .null, await memory.writes != .echoed { stored = try await sample(place.collection)?[name] ?? .null }
      if stored.integer != nil { numbers.append(name) }
    }
    return numbers
  }

  /// The first record of a collection; nil where there is none.
  private func sample(_ collection: ServerCollection) async throws(BackendError) -> Object? {
    if let known = await memory.sample(of: collection.name) { return known }
    let held = HeldPage()
    _ = try await list(ListQuery(ResourcePath(name: collection.name), pageSize: 1), at: nil, to: held.sink)
    guard let record = await held.records.first else { return nil }
    await memory.saw(record.fields, in: collection.name)
    return record.fields
  }

  /// Whether there is such a record; nil where that cannot be found out.
  func isThere(_ collection: String, _ id: RecordID) async -> Bool? {
    do { return try await find(collection, id) != nil } catch { return nil }
  }

  /// Refuses owners that are not there, and null ones: on a json-server each deletion removes every record whose owner
  /// does not exist, and fails as long as an owner is null.
  func checkOwners(of draft: Draft) async throws(BackendError) {
    for (field, value) in draft.fields.members where value == .null && field.hasSuffix("Id") {
      throw .invalid("\(field) cannot be null: this server then fails at every deletion", hint: "use --unset \(field)")
    }
    guard options.version == .zero, await memory.writes != .echoed else { return }
    for (field, collection) in draft.collection.owners {
      guard let id = RecordID(draft.fields[field]), await !memory.hasSeen("\(collection)/\(id)") else { continue }
      if try await find(collection, id) == nil, try await exists(collection) {
        throw .invalid(
          "there is no \(collection)/\(id) for \(field) to name", hint: "the next deletion would remove the record")
      }
      await memory.saw("\(collection)/\(id)")
    }
  }

  private func exists(_ collection: String) async throws(BackendError) -> Bool {
    let place = try resources.place(ResourcePath(name: collection))
    var query = ListQuery(ResourcePath(name: collection))
    query.pageSize = 1
    let window = try Window(query, at: nil, options: options)
    let request = try requests.list(place, window: window, parameters: [], native: nil)
    return try await exchange.send(request).status == 200
  }
}
