import BackendKit
import Synchronization

/// A backend under a layer of planned writes: reads see them, writes only add to them.
///
/// A list with planned writes is read whole from the service, and conditions, orders and limits are left to the client.
struct LayeredBackend: Backend {
  let base: any Backend
  let records: PlannedRecords

  func with(_ options: CallOptions) -> LayeredBackend {
    LayeredBackend(base: base.with(options), records: records)
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    try await base.describe(depth)
  }

  // MARK: Reading

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    let isConcerned = try records.concern(query.resource)
    guard isConcerned || query.namesPlanned else { return try await base.plan(query) }
    if query.native != nil || !query.embedded.isEmpty || query.serverOrder && !query.sort.isEmpty {
      throw records.stop(
        "only the service can answer this query of \(query.resource), and it has no planned writes yet")
    }
    try checkOrders(of: query)
    var bare = ListQuery(query.resource, pageSize: query.pageSize)
    bare.parameters = query.parameters
    var plan =
      records.isBelowNew(query.resource)
      ? QueryPlan(request: "none: the record above is not created yet") : try await base.plan(bare)
    plan.filters = query.filters.map { _ in .not }
    plan.sort = query.sort.isEmpty ? .exact : .not
    plan.search = query.search == nil ? .exact : .not
    plan.fields = query.fields == nil ? .exact : .not
    plan.skip = query.skip == 0 ? .exact : .not
    plan.countsRecords = false
    plan.notes = ["planned writes are laid over the list, so the rest is done locally"]
    return plan
  }

  /// Throws if a condition or the order depends on the place of an identifier that is not known yet.
  private func checkOrders(of query: ListQuery) throws(BackendError) {
    let layer = records[query.resource]
    let objects = layer.created.map(\.fields) + layer.changed.values.map(\.set)
    let ordered = query.filters.flatMap(\.orderedPaths) + query.sort.map(\.path)
    let isOrdered = ordered.contains { path in
      objects.contains { path.value(in: $0)?.text.map(Preview.isPlanned) == true }
    }
    if isOrdered || query.filters.contains(where: \.ordersPlanned) {
      throw records.stop("the order of an identifier that the service has not chosen yet is unknown")
    }
    let texts = objects.flatMap { $0.members.compactMap(\.1.text) }.filter(Preview.isPlanned)
    if let search = query.search?.lowercased(), texts.contains(where: { $0.contains(text: search) }) {
      throw records.stop("the search may find an identifier that the service has not chosen yet")
    }
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let path = query.resource
    guard try records.concern(path) else { return try await base.list(query, at: cursor, to: sink) }
    let layer = records[path]
    let resource = try await records.resource(path)
    if !layer.created.isEmpty, resource.capabilities.omitsRecords {
      throw records.stop("lists of \(path) omit some records, and new ones may be among them")
    }
    if !layer.created.isEmpty,
      query.parameters.contains(where: { resource.capabilities.listParameters[$0]?.text != $1 })
    {
      throw records.stop("only the service knows which new records a list of \(path) with these parameters has")
    }
    let isCut = Mutex(false)
    var end = PageEnd(total: 0)
    if !records.isBelowNew(path) {
      end = try await base.list(
        query, at: cursor,
        to: RecordSink { records throws(BackendError) in
          let shown = records.compactMap { layer.shown($0, of: resource, isListed: true) }
          guard !shown.isEmpty else { return .more }
          let answer = try await sink.send(shown)
          if answer == .enough { isCut.withLock { $0 = true } }
          return answer
        })
    }
    end.total = end.total.map { max(0, $0 - layer.deleted.count) + layer.created.count }
    guard end.next == nil || isCut.withLock(\.self) else { return end }
    for record in layer.created {
      if isCut.withLock(\.self) { try refuseCut(of: path) }
      let hidden = Set(resource.capabilities.unlistedFields)
      if try await sink.send([record.hiding(hidden)]) == .enough { isCut.withLock { $0 = true } }
    }
    return end
  }

  /// Throws for a part of a list in the service's own order if new records may be in it.
  func refuseCut(of path: ResourcePath) throws(BackendError) {
    guard !records[path].created.isEmpty else { return }
    throw records.stop(
      "a part of the list of \(path) without --sort is asked for, and the place of new records is unknown")
  }

  func get(
    _ id: RecordID, from path: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    let isConcerned = try records.concern(path)
    guard isConcerned || Preview.isPlanned(id.text) else {
      return try await base.get(id, from: path, fields: fields, embedding: names)
    }
    let layer = records[path]
    if layer.deleted.contains(id) { throw PlannedRecords.missing(id, path) }
    if let record = layer.created.first(where: { $0.id == id }) { return record }
    if Preview.isPlanned(id.text) || records.isBelowNew(path) {
      throw BackendError(.notFound, "\(path)/\(id) does not exist", effect: .rejected)
    }
    guard let change = layer.changed[id] else {
      return try await base.get(id, from: path, fields: fields, embedding: names)
    }
    guard names.isEmpty else { throw records.stop("only the service knows what it embeds in \(path)/\(id)") }
    let resource = try await records.resource(path)
    return change.applied(
      to: try await base.get(id, from: path, fields: nil, embedding: []), of: resource, isListed: false)
  }

  func download(
    _ field: String, of id: RecordID, from resource: ResourcePath
  ) async throws(BackendError) -> FileDownload {
    if try records.concern(resource) { throw records.stop("the file \(field) of \(resource)/\(id) may be planned") }
    return try await base.download(field, of: id, from: resource)
  }

  // MARK: Planning

  func create(_ fields: Object, in path: ResourcePath) async throws(BackendError) -> WriteReceipt {
    _ = try records.concern(path)
    try refuseMixed(fields.members.map(\.1))
    let resource = try await records.resource(path)
    let chosen = resource.identifier.identifier(in: fields)
    let id = chosen ?? RecordID(records.makeName())
    if try await isThere(id, path, resource) {
      throw records.stop(
        chosen == nil
          ? "\(path) has a record that is called \(id), like a new one"
          : "\(path)/\(id) exists, and only the service knows what a second creation does")
    }
    if !records[path].isTouched, !records.isBelowNew(path), resource.capabilities.operations.contains(.list) {
      // Nothing else shows that the service has the resource.
      _ = try await base.list(ListQuery(path, pageSize: 1), at: nil, to: RecordSink { _ in .enough })
    }
    let record = resource.planned(fields, id: id, revision: records.makeRevision())
    guard resource.capabilities.writes != .echoed else {
      return WriteReceipt(id: id, record: record, writes: .echoed)
    }
    noteUnproved(resource)
    records[path].created.append(record)
    records[path].deleted.remove(id)
    return WriteReceipt(id: id, record: record, revision: record.revision)
  }

  func update(
    _ id: RecordID, in path: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try refuseMixed(changes.compactMap { if case .set(_, let value) = $0 { value } else { nil } })
    let before = try await get(id, from: path, fields: nil, embedding: [])
    try check(revision, before, path)
    let resource = try await records.resource(path)
    var layer = records[path]
    var change = layer.changed[id] ?? PlannedChange()
    change.add(changes, to: resource, revision: records.makeRevision())
    let record = change.applied(to: before, of: resource, isListed: false)
    var receipt = WriteReceipt(id: id, record: record, revision: record.revision)
    guard resource.capabilities.writes != .echoed else {
      receipt.writes = .echoed
      return receipt
    }
    noteUnproved(resource)
    if let place = layer.created.firstIndex(where: { $0.id == id }) {
      layer.created[place] = record
    } else {
      layer.changed[id] = change
    }
    records[path] = layer
    return receipt
  }

  func delete(
    _ deletion: Deletion, from path: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    guard case .one(let id) = deletion else {
      throw records.stop("a plan lists individual records, which --all does not identify")
    }
    let before = try await get(id, from: path, fields: nil, embedding: [])
    try check(revision, before, path)
    let resource = try await records.resource(path)
    guard resource.capabilities.writes != .echoed else { return WriteReceipt(id: id, writes: .echoed) }
    if resource.capabilities.keepsDeleted {
      throw records.stop("\(path) keeps deleted records, and only the service knows what then shows them")
    }
    try await records.noteDependents(of: id, resource)
    noteUnproved(resource)
    var layer = records[path]
    if let place = layer.created.firstIndex(where: { $0.id == id }) {
      layer.created.remove(at: place)
    } else {
      layer.changed[id] = nil
      layer.deleted.insert(id)
    }
    records[path] = layer
    return WriteReceipt(id: id)
  }

  func follow(
    _ address: String, in resource: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record? {
    throw records.stop("a job of the service runs only when the script does")
  }

  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    throw records.stop("only the service knows what \(action) does")
  }

  /// Makes reads of a resource end the preview if nothing proves that the service stores what is written.
  private func noteUnproved(_ resource: ResourceDescription) {
    guard resource.capabilities.writes == .unknown else { return }
    records.doubt(resource.name, "whether the service stores writes of \(resource.name) shows only when one is sent")
  }

  /// Throws if a record does not have the revision that a write requires.
  private func check(_ revision: String?, _ record: Record, _ path: ResourcePath) throws(BackendError) {
    guard let revision, let own = record.revision, revision != own else { return }
    throw BackendError(.conflict, "\(path)/\(record.id?.text ?? "") has changed since it was read", effect: .rejected)
  }

  /// Returns whether the service or the plan already has a record with an identifier.
  private func isThere(
    _ id: RecordID, _ path: ResourcePath, _ resource: ResourceDescription
  ) async throws(BackendError) -> Bool {
    let layer = records[path]
    if layer.created.contains(where: { $0.id == id }) { return true }
    let isPossible = resource.identifier.form == .text && resource.capabilities.operations.contains(.get)
    guard !layer.deleted.contains(id), !records.isBelowNew(path), isPossible || !Preview.isPlanned(id.text) else {
      return false
    }
    do throws(BackendError) {
      _ = try await base.get(id, from: path, fields: nil, embedding: [])
      return true
    } catch {
      if error.code == .cancelled { throw error }
      return false
    }
  }

  /// Throws if a text contains an identifier that is not known yet beside other characters.
  private func refuseMixed(_ values: [Value]) throws(BackendError) {
    for value in values {
      switch value {
      case .string(let text):
        guard text.contains(text: "new:"), !Preview.isPlanned(text) else { continue }
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == ":") }
        guard words.contains(where: { Preview.isPlanned(String($0)) }) else { continue }
        throw records.stop("a text is made of an identifier that the service has not chosen yet")
      case .array(let elements): try refuseMixed(elements)
      case .object(let object): try refuseMixed(object.members.map(\.1))
      default: continue
      }
    }
  }
}

extension PlannedRecords.Resource {
  /// A record of the service as it will be; nil of one that will be deleted.
  func shown(_ record: Record, of resource: ResourceDescription, isListed: Bool) -> Record? {
    guard let id = record.id else { return record }
    if deleted.contains(id) { return nil }
    return changed[id]?.applied(to: record, of: resource, isListed: isListed) ?? record
  }
}

extension Record {
  /// The record without fields that lists leave out.
  fileprivate func hiding(_ names: Set<String>) -> Record {
    guard !names.isEmpty else { return self }
    var record = self
    for name in names where record.fields[name] != nil {
      record.fields[name] = nil
      record.unloaded.append(name)
    }
    return record
  }
}

extension ListQuery {
  /// True if a condition names the identifier of a record that is only planned, which the service would not know.
  fileprivate var namesPlanned: Bool { filters.contains(where: \.namesPlanned) }
}

extension Filter {
  fileprivate var namesPlanned: Bool {
    switch self {
    case .compare(_, _, let operand): operand.isPlanned
    case .among(_, let operands): operands.contains(where: \.isPlanned)
    case .and(let filters), .or(let filters): filters.contains(where: \.namesPlanned)
    case .not(let filter): filter.namesPlanned
    case .isNull, .isMissing, .computed: false
    }
  }

  /// True if it compares the order of such an identifier.
  fileprivate var ordersPlanned: Bool {
    switch self {
    case .compare(_, let comparison, let operand):
      operand.isPlanned && comparison != .equal && comparison != .notEqual
    case .and(let filters), .or(let filters): filters.contains(where: \.ordersPlanned)
    case .not(let filter): filter.ordersPlanned
    case .among, .isNull, .isMissing, .computed: false
    }
  }

  /// The fields whose order, or part of whose text, it compares.
  fileprivate var orderedPaths: [FieldPath] {
    switch self {
    case .compare(let path, let comparison, _): comparison == .equal || comparison == .notEqual ? [] : [path]
    case .and(let filters), .or(let filters): filters.flatMap(\.orderedPaths)
    case .not(let filter): filter.orderedPaths
    case .computed(let formula): formula.paths
    case .among, .isNull, .isMissing: []
    }
  }
}

extension Operand {
  fileprivate var isPlanned: Bool { text.map(Preview.isPlanned) == true }
}
