import BackendKit

/// Todos of a Kitura server.
struct KituraBackend: Backend {
  private let exchange: any HTTPExchange
  private let resources: KituraResources
  private let requests: KituraRequests
  private let answers: KituraAnswers

  init(_ settings: BackendSettings) throws(BackendError) {
    let options = try KituraOptions(settings)
    exchange = settings.exchange
    resources = KituraResources(options: options)
    requests = KituraRequests(options: options)
    answers = KituraAnswers(options: options)
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    guard depth == .live else { return resources.description() }
    let answer = try await exchange.send(requests.about())
    if await answers.isUp(answer) { return resources.description() }
    // Not every variant tells how it is; its list does.
    let probe = ListQuery(ResourcePath(name: requests.options.resource))
    _ = try await list(probe, at: nil, to: RecordSink { _ in .enough })
    return resources.description()
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    try resources.check(query.resource)
    try query.refuseNative()
    return KituraPlan.plan(query, request: requests.list())
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await plan(query).checkNothingIsLeft()
    let page = try KituraPage(at: cursor)
    let request = requests.list()
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request) }
    try answer.checkIsNoPage()
    let reading = try await answer.body.records(after: page.offset, to: sink) { (value) throws(BackendError) in
      try answers.record(value)
    }
    return reading.document == nil ? PageEnd(next: page.rest(after: reading.count)) : PageEnd(total: reading.count)
  }

  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    try resources.check(resource)
    let request = try requests.get(id)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, id: id) }
    var record = try await answers.record(in: answer, expecting: id)
    record.id = id
    return record
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try resources.check(resource)
    let write = try KituraWrite(creating: fields)
    let request = requests.create(write)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request) }
    let read = try await answer.accepted(.applied) { () throws(BackendError) in try await answers.record(in: answer) }
    guard let record = read, record.id != nil else {
      return WriteReceipt(id: nil, notes: write.notes + ["the server did not tell the new record's identifier"])
    }
    let lost = write.unconfirmed(by: record).map { "the server did not keep \($0) as it was sent" }
    return WriteReceipt(id: record.id, record: record, notes: write.notes + lost)
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try resources.check(resource)
    guard revision == nil else { throw .unsupported("the server has no revisions: the last write wins") }
    let write = try KituraWrite(changing: changes)
    guard write.cleared.isEmpty || requests.options.hasPut else {
      throw .unsupported("a field cannot be cleared: this server has no PUT", hint: "set another value instead")
    }
    guard write.cleared.isEmpty else { return try await replace(id, in: resource, write) }
    let request = try requests.update(id, write)
    let record = try await confirmed(write, try await change(id, in: resource, request))
    return WriteReceipt(id: id, record: record)
  }

  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try resources.check(resource)
    guard case .one(let id) = deletion else { return try await deleteAll() }
    let request = try requests.delete(id)
    if requests.options.deletesAnything { _ = try await get(id, from: resource) }
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, id: id) }
    try answer.checkIsNoPage(effect: .unknown)
    return WriteReceipt(id: id)
  }
}

// MARK: Writing

extension KituraBackend {
  /// Clears fields, which only a replacement of the whole record can do.
  private func replace(
    _ id: RecordID, in resource: ResourcePath, _ write: KituraWrite
  ) async throws(BackendError) -> WriteReceipt {
    let whole = write.applied(to: try await get(id, from: resource))
    let request = try requests.replace(id, whole)
    let record = try await confirmed(whole, try await change(id, in: resource, request))
    return WriteReceipt(
      id: id, record: record,
      notes: ["read and replaced: what others changed in between is lost"] + write.notes)
  }

  /// Sends a change and returns the record as it is then.
  private func change(
    _ id: RecordID, in resource: ResourcePath, _ request: HTTPRequest
  ) async throws(BackendError) -> Record {
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, id: id) }
    let read = try await answer.accepted(.unknown) { () throws(BackendError) in
      try await answers.record(in: answer, expecting: id)
    }
    // A variant answers with no more than what was sent, also where there is no such record.
    if let read, read.id != nil { return read }
    do throws(BackendError) { return try await get(id, from: resource) } catch {
      guard error.code != .notFound else { throw error }
      var error = error
      error.effect = .unknown
      throw error
    }
  }

  private func confirmed(_ write: KituraWrite, _ record: Record) async throws(BackendError) -> Record {
    let lost = write.unconfirmed(by: record)
    guard lost.isEmpty else {
      throw BackendError(
        .badResponse, "the server accepted the update but gave back another \(lost.joined(separator: " and "))",
        effect: .unknown, hint: "get the record to see what was stored")
    }
    return record
  }

  private func deleteAll() async throws(BackendError) -> WriteReceipt {
    let request = requests.deleteAll()
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request) }
    try answer.checkIsNoPage(effect: .unknown)
    return WriteReceipt(id: nil)
  }
}
