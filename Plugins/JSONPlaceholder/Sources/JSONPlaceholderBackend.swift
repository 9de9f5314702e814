import BackendKit

/// A json-server, or jsonplaceholder.typicode.com, which answers writes and forgets them.
struct JSONPlaceholderBackend: Backend {
  let options: JSONPlaceholderOptions
  let resources: JSONPlaceholderResources
  let requests: JSONPlaceholderRequests
  let answers: JSONPlaceholderAnswers
  let exchange: any HTTPExchange
  let memory: JSONPlaceholderMemory

  init(_ settings: BackendSettings) throws(BackendError) {
    options = try JSONPlaceholderOptions(settings)
    resources = JSONPlaceholderResources(options)
    requests = JSONPlaceholderRequests(options: options)
    answers = JSONPlaceholderAnswers(options: options)
    exchange = settings.exchange
    memory = JSONPlaceholderMemory(writes: options.writes)
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    var descriptions: [ResourceDescription] = []
    let writes = await memory.writes
    for collection in resources.collections {
      let description = resources.description(of: collection, writes: writes)
      descriptions.append(depth == .live ? try await sampled(description) : description)
    }
    return BackendDescription(
      product: "json-server \(options.version.rawValue)", apiVersion: options.version.rawValue,
      resources: descriptions)
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    let place = try resources.place(query.resource)
    let plan = JSONPlaceholderPlan(query, at: place, version: options.version)
    var asked = query
    if plan.skip == .not { asked.skip = 0 }
    let window = try Window(asked, at: nil, options: options)
    let request = try requests.list(place, window: window, parameters: plan.parameters, native: query.native)
    return ListPlan(
      filters: plan.filters, sort: plan.sort, search: plan.search, fields: query.fields == nil ? .exact : .not,
      skip: plan.skip, pageSize: window.size, countsRecords: true, request: request.summary, notes: plan.notes)
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await plan(query).checkNothingIsLeft()
    let place = try resources.place(query.resource)
    let plan = JSONPlaceholderPlan(query, at: place, version: options.version)
    let window = try Window(query, at: cursor, options: options)
    let request = try requests.list(place, window: window, parameters: plan.parameters, native: query.native)
    let answer = try await exchange.send(request)
    guard answer.status == 200 else {
      let error = await answers.failure(answer, of: request, "collection \(query.resource)")
      throw error.with(effect: error.effect, hint: error.hint ?? "check the backend's address")
    }
    if options.version == .one { return try await answers.page(answer, window: window, to: sink) }
    let reading = try await answers.list(answer, window: window, to: sink)
    if let owner = place.owner, cursor == nil, reading.count == 0, reading.document != nil {
      // An owner that is not there gives an empty list too.
      _ = try await read(owner.collection, owner.id)
    }
    return try answers.end(reading, of: answer, window: window)
  }

  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    let place = try resources.place(resource)
    let record = try await read(place.collection.name, id)
    if let owner = place.owner, RecordID(record.fields[owner.field]) != owner.id {
      throw BackendError(.notFound, "there is no \(resource)/\(id)", effect: .rejected)
    }
    return record
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let place = try resources.place(resource)
    var draft = try Draft(fields, for: place.collection)
    try draft.add(owner: place.owner)
    try await checkOwners(of: draft)
    draft.storeFlags(asNumbers: try await numbers(among: draft.flags, in: nil, of: place))
    let request = try requests.create(place.collection.name, draft.fields)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, place.collection.name) }
    do throws(BackendError) {
      let record = try await answers.object(answer, .applied).map { Record(id: RecordID($0["id"]), fields: $0) }
      return try await confirm(created: record, draft, in: place.collection)
    } catch {
      guard error.effect == .applied, let found = await located(answer, draft, in: place.collection) else {
        throw error
      }
      var receipt = try await confirm(created: found, draft, in: place.collection)
      receipt.notes.append("\(error.message); the record was found where the response said that it is")
      return receipt
    }
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try resources.place(resource)
    guard revision == nil else { throw .unsupported("the server has no revisions: the last write wins") }
    var draft = try Draft(changes, for: place.collection)
    try await checkOwners(of: draft)
    let isUnknown = await memory.writes == .unknown
    var before: Record?
    if place.owner != nil || !draft.removed.isEmpty || !draft.flags.isEmpty || isUnknown {
      before = try await get(id, from: resource)
    }
    draft.storeFlags(asNumbers: try await numbers(among: draft.flags, in: before?.fields, of: place))
    let answered: Object?
    if let before, !draft.removed.isEmpty {
      answered = try await replace(id, in: place.collection, draft.applied(to: before.fields))
    } else {
      answered = try await patch(id, in: place.collection, draft.fields)
    }
    return try await confirm(updated: id, draft, before: before, answered: answered, in: place.collection)
  }

  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let place = try resources.place(resource)
    guard case .one(let id) = deletion else {
      throw .unsupported("this server deletes one record at a time", hint: "name the records to delete")
    }
    // Where nothing is kept every deletion succeeds, also of a record that is not there.
    if await memory.writes != .kept || place.owner != nil { _ = try await get(id, from: resource) }
    let request = try requests.delete(place.collection.name, id)
    await memory.forget("\(place.collection.name)/\(id)")
    let answer = try await exchange.send(request)
    if answer.status == 500 { throw await explain(failedDeletion: answer, request, id, in: place.collection) }
    guard answer.isSuccess else {
      throw await answers.failure(answer, of: request, "\(place.collection.name)/\(id)")
    }
    try answer.checkIsNoPage(effect: .unknown)
    return try await confirm(deleted: id, in: place.collection)
  }
}
