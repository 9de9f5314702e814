import BackendKit

/// The dynamic resources of a Baasic application, and its schemas.
struct BaasicBackend: Backend {
  let options: BaasicOptions
  let resources: BaasicResources
  let requests: BaasicRequests
  let answers = BaasicAnswers()
  let exchange: any HTTPExchange

  init(_ settings: BackendSettings) throws(BackendError) {
    options = try BaasicOptions(settings)
    resources = BaasicResources(options)
    requests = BaasicRequests(options: options)
    exchange = settings.exchange
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    guard depth == .live else {
      return BackendDescription(product: "Baasic", resources: resources.known(), isOpen: true)
    }
    do { await resources.learn(try await readSchemas()) } catch {
      // Who may read records may not be allowed to read schemas; what the configuration knows is enough then.
      let isRefused = [.unauthorized, .forbidden, .notFound].contains(error.code)
      guard isRefused, !options.schemas.isEmpty else {
        guard isRefused, error.hint == nil else { throw error }
        throw error.with(effect: error.effect, hint: "name the resources in the option resources")
      }
    }
    var descriptions: [ResourceDescription] = []
    for description in await resources.live() { descriptions.append(try await sampled(description)) }
    return BackendDescription(product: "Baasic", resources: descriptions, isOpen: true)
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    let place = try Place(query.resource)
    let plan = BaasicPlan(query, at: place, schema: await resources.schema(place.name))
    var asked = query
    if plan.skip(of: query) == .not { asked.skip = 0 }
    let page = try Page(asked, at: nil, options: options)
    let request = try requests.find(place, page: page, plan: plan)
    return ListPlan(
      filters: plan.filters, sort: plan.sort, search: plan.search, fields: plan.fields, skip: plan.skip(of: query),
      pageSize: page.size, countsRecords: true, request: request.summary, notes: plan.notes)
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await plan(query).checkNothingIsLeft()
    let place = try Place(query.resource)
    let schema = await resources.schema(place.name)
    let plan = BaasicPlan(query, at: place, schema: schema)
    let page = try Page(query, at: cursor, options: options)
    let unloaded = plan.projection.map { names in
      (schema?.fields ?? []).map(\.name).filter { !names.contains($0) }
    }
    let read = PageRead(place: place, plan: plan, unloaded: unloaded ?? [])
    if cursor == nil, query.skip > 0 { return try await list(read, skipping: query.skip, page, to: sink) }
    let reading = try await self.read(read, page, to: sink)
    return answers.end(reading, page: page)
  }

  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    try await read(try Place(resource), id)
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let place = try Place(resource)
    var fields = fields
    // Clients that send an empty identifier mean none.
    if fields["id"] == .string("") || fields["id"] == .null { fields["id"] = nil }
    guard fields["id"] == nil else { throw .invalid("the server chooses identifiers", hint: "leave id out") }
    if place == .schemas { for (name, value) in fields.members { try BaasicSchema.check(name, value) } }
    let request = try requests.insert(place, fields)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, place.name) }
    let object = try await answers.object(answer, .applied)
    let id = RecordID(object?[place.identifier]) ?? (place == .schemas ? RecordID(fields["name"]) : nil)
    return WriteReceipt(
      id: id, record: object.map { Record(id: id, fields: $0) },
      notes: (id == nil ? ["the server did not tell the new record's identifier"] : [])
        + BaasicAnswers.differences(of: fields, from: object),
      changesResources: place == .schemas)
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try Place(resource)
    guard revision == nil else { throw .unsupported("the server has no revisions: the last write wins") }
    guard !changes.isEmpty else { throw .invalid("no change was given") }
    guard !changes.contains(where: { $0.field == place.identifier || $0.field == "id" }) else {
      throw .invalid("the identifier of a record cannot be changed")
    }
    if place == .schemas {
      var last = Object()
      for change in changes { last[change.field] = if case .set(_, let value) = change { value } else { .null } }
      for (name, value) in last.members { try BaasicSchema.check(name, value) }
    }
    let set = changes.compactMap { if case .set(let name, let value) = $0 { (name, value) } else { nil } }
    let request = try await request(updating: id, at: place, changes)
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, "\(place.name)/\(id)") }
    let object = try await answers.object(answer, .unknown)
    let other = RecordID(object?[place.identifier])
    guard other == nil || other == id else { throw .answeredWith(other, effect: .unknown) }
    return WriteReceipt(
      id: id, record: object.map { Record(id: id, fields: $0) },
      notes: BaasicAnswers.differences(of: Object(set), from: object), changesResources: place == .schemas)
  }

  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let place = try Place(resource)
    guard case .one(let id) = deletion else {
      throw .unsupported("this adapter deletes one record at a time", hint: "name the records to delete")
    }
    let request = try requests.delete(place, id)
    // The server tells names apart without case: it would delete a schema of another name with all its records.
    if place == .schemas { _ = try await read(place, id) }
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await answers.failure(answer, of: request, "\(place.name)/\(id)") }
    try answer.checkIsNoPage(effect: .unknown)
    return WriteReceipt(id: id, changesResources: place == .schemas)
  }
}
