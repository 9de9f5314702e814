/// The backend of every REST service that a ``Service`` describes.
///
/// It makes requests, reads pages and records, compares responses with what was sent, and interprets failures. It does
/// not retry or settle unknown outcomes; the HTTP client and ``Client`` do that for every backend.
public struct RESTBackend: Backend {
  let engine: Engine
  let options: CallOptions

  init(_ engine: Engine, with options: CallOptions) { (self.engine, self.options) = (engine, options) }

  /// A backend of a service, reached through an exchange.
  public init(_ service: Service, over exchange: any HTTPExchange) {
    self.init(SharedService(service), over: exchange)
  }

  init(_ service: SharedService, over exchange: any HTTPExchange) {
    self.init(Engine(service, over: exchange), with: CallOptions())
  }

  /// The same backend with other options of calls, and shared memory.
  public func with(_ options: CallOptions) -> RESTBackend { RESTBackend(engine, with: options) }

  private func place(_ path: ResourcePath) throws(BackendError) -> ResourceTarget {
    try engine.place(path, with: options)
  }

  /// Divides the work on a query between the service and the client.
  public func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try QueryPlanBuilder(query, place(query.resource)).finished(query)
  }

  /// Reads one page and returns where the next begins.
  public func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await ListReader(query, place(query.resource), at: cursor).read(to: sink)
  }

  /// Reads one record, with only the given fields if the service can select them; below an owner, only one that belongs
  /// to it.
  public func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    let place = try place(resource)
    try place.require(.get)
    var sent = names.isEmpty ? [] : try place.resource.embedded(names)
    // The field that names the owner is checked, too.
    if place.owner == nil, let fields, let (projection, _, chosen) = place.projected(fields),
      projection.isForRecords
    {
      sent += chosen
    }
    return try await place.records.readOwned(id, choosing: sent)
  }

  /// Sends the record, then files that need requests of their own.
  public func create(_ fields: Object, in path: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    var fields = fields
    let files = try FileFields(taking: &fields, place)
    var creation = try Creation(fields, place, files.inForm)
    var receipt = try await creation.carryOut()
    guard !files.isEmpty else { return receipt }
    if let first = files.alone.first {
      guard let id = receipt.id else {
        throw BackendError(
          .badResponse,
          "the server created the record and did not report its identifier, so \(first.field) was not sent",
          effect: .applied)
      }
      try await files.send(of: id, after: "created record \(id)", &receipt)
    }
    await files.look(in: receipt.id, &receipt)
    return receipt
  }

  /// Sends the changed fields, then files that need requests of their own.
  public func update(
    _ id: RecordID, in path: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    var changes = changes
    let files = try FileFields(taking: &changes, place)
    let isAlone = !files.isEmpty && changes.isEmpty && files.inForm.isEmpty
    var receipt: WriteReceipt
    if isAlone {
      try place.require(.update)
      if place.owner != nil { _ = try await place.records.readOwned(id) }
      receipt = WriteReceipt(id: id, writes: place.writes)
    } else {
      var update = try await Update(id, place, changes, at: revision, files.inForm)
      receipt = try await update.carryOut()
    }
    guard !files.isEmpty else { return receipt }
    try await files.send(
      of: id, at: isAlone ? revision : nil, after: isAlone ? nil : "changed the other fields", &receipt)
    await files.look(in: id, &receipt)
    return receipt
  }

  /// Deletes one record, possibly at a required revision, or all.
  public func delete(
    _ deletion: Deletion, from path: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await place(path).delete(deletion, at: revision)
  }

  /// Sends the request of an action.
  public func act(
    _ action: String, on id: RecordID?, in path: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await place(path).act(action, on: id, with: fields)
  }

  /// Begins to read the content of a file.
  public func download(
    _ field: String, of id: RecordID, from path: ResourcePath
  ) async throws(BackendError) -> FileDownload {
    try await place(path).download(field, of: id)
  }

  /// Polls a job at its status address, and returns the resulting record as far as it is shown.
  public func follow(
    _ address: String, in path: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record? {
    let place = try place(path)
    guard let job = place.resource.job else {
      throw .unsupported(
        "\(place.resource.name) has no jobs", hint: "define them with `job` in the description")
    }
    guard let link = Link.cleaned(address) else { throw .invalid("the address of the job is empty") }
    var look = HTTPRequest("GET", .base, effect: .read)
    look.link = link
    do throws(BackendError) {
      let answer = try await JobWatch(job, look, place).end(for: patience)
      return try? await place.records.written(answer, mayBeNothing: true)
    } catch {
      guard let id = place.madeUnseen(error) else { throw error }
      return Record(id: id, fields: Object(), unloaded: place.resource.fields.map(\.name))
    }
  }
}
