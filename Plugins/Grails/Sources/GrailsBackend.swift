import BackendKit

/// Announcements of a Grails application.
struct GrailsBackend: Backend {
  private let exchange: any HTTPExchange
  private let resources: GrailsResources
  private let requests: GrailsRequests
  private let answers: GrailsAnswers

  init(_ settings: BackendSettings) throws(BackendError) {
    let options = try GrailsOptions(settings)
    exchange = settings.exchange
    resources = GrailsResources(options: options)
    requests = GrailsRequests(options: options)
    answers = GrailsAnswers(options: options)
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    guard depth == .live else { return resources.description() }
    // Where the application says nothing of itself, its list still tells whether path and version are right.
    let about = try await exchange.send(requests.about())
    let product = await answers.product(in: about)
    let probe = ListQuery(ResourcePath(name: requests.options.resource), pageSize: 1)
    _ = try await list(probe, at: nil, to: RecordSink { _ in .more })
    return resources.description(product: product ?? "Grails")
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    try resources.check(query.resource)
    try query.refuseNative()
    var asked = query
    if !GrailsPlan.serves(query) { asked.sort = [] }
    if GrailsPlan.skip(of: query) == .not { asked.skip = 0 }
    return GrailsPlan.plan(query, request: requests.list(try GrailsPage(asked, at: nil)))
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await plan(query).checkNothingIsLeft()
    let page = try GrailsPage(query, at: cursor)
    let request = requests.list(page)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request) }
    let reading = try await answer.body.records(upTo: page.max, to: sink, overfull: { overfull(page) }) {
      (value) throws(BackendError) in try answers.record(value, inList: true)
    }
    let isOver = reading.document != nil && reading.count < page.max
    return PageEnd(
      next: isOver ? nil : page.next(after: reading.count), pageSize: page.max == query.pageSize ? nil : page.max)
  }

  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    try resources.check(resource)
    let request = try requests.get(id)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, id: id) }
    return try await answers.record(in: answer, expecting: id)
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try resources.check(resource)
    let write = try GrailsWrite(creating: fields)
    let request = requests.create(write)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request) }
    // The Location header names an address that does not exist: the identifier is taken from the body.
    let read = try await answer.accepted(.applied) { () throws(BackendError) in try await answers.record(in: answer) }
    guard let record = read else {
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
    let write = try GrailsWrite(changing: changes)
    let request = try requests.update(id, write)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, id: id) }
    let read = try await answer.accepted(.unknown) { () throws(BackendError) in
      try await answers.record(in: answer, expecting: id)
    }
    guard let record = read else { return WriteReceipt(id: id, notes: write.notes) }
    // A body that the server could not read is answered with 200 and the record as it was.
    let lost = write.unconfirmed(by: record)
    guard lost.isEmpty else {
      throw BackendError(
        .badResponse, "the server accepted the update but gave back another \(lost.joined(separator: " and "))",
        effect: .unknown, hint: "get the record to see what was stored")
    }
    return WriteReceipt(id: id, record: record, notes: write.notes)
  }

  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try resources.check(resource)
    guard case .one(let id) = deletion else {
      throw .unsupported("the server deletes one record at a time", hint: "name the records")
    }
    let request = try requests.delete(id)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, id: id) }
    try answer.checkIsNoPage(effect: .unknown)
    return WriteReceipt(id: id)
  }

  private func overfull(_ page: GrailsPage) -> BackendError {
    BackendError(
      .badResponse, "the server sent more than the \(page.max) records asked for", effect: .rejected,
      hint: "check whether the option readPath leads to a list that Grails pages")
  }
}
