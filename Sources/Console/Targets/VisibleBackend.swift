import BackendKit
import ConsoleSetup

/// A backend without its secret fields: no description and no record has them, and no query or write can name them. Its
/// writes are only built and planned: a restricted run sends none.
struct VisibleBackend: Backend {
  let base: any Backend
  let configuration: BackendConfiguration
  let blanking: Blanking

  func with(_ options: CallOptions) -> VisibleBackend {
    VisibleBackend(base: base.with(options), configuration: configuration, blanking: blanking)
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    // This registers the names, so that everything else is hidden.
    var description = configuration.agreed(try await base.describe(depth), blanking)
    description.resources = description.resources.map { $0.visible(blanking) }
    description.others = description.others.map { $0.visible(blanking) }
    description.outlined = description.outlined?.map { [blanking] in $0.visible(blanking) }
    return description
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try check(query)
    return try await base.plan(query)
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try check(query)
    return try await base.list(
      query, at: cursor,
      to: RecordSink { [blanking] records throws(BackendError) in
        try await sink.send(records.map { $0.visible(blanking) })
      })
  }

  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    try check(fields ?? [])
    return try await base.get(id, from: resource, fields: fields, embedding: names).visible(blanking)
  }

  private func check(_ query: ListQuery) throws(BackendError) {
    try check(query.filters.flatMap(\.paths) + query.sort.map(\.path) + (query.fields ?? []))
    // The service would search and compare secrets, too.
    guard query.search == nil, query.native == nil, query.parameters.isEmpty else {
      throw .unsupported("only conditions on fields can be used")
    }
  }

  private func check(_ paths: [FieldPath]) throws(BackendError) {
    guard let secret = paths.first(where: { ([$0.text] + $0.names).contains(where: blanking.isSecret) }) else { return }
    throw BackendError(.invalid, "unknown field \"\(secret.text)\"", effect: .notSent)
  }

  // MARK: Writing

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try check(fields.names.map { FieldPath($0) })
    return try await base.create(fields, in: resource)
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try check(changes.map { FieldPath($0.field) })
    return try await base.update(id, in: resource, changes: changes, revision: revision)
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await base.delete(deletion, from: resource, revision: revision)
  }

  // MARK: Refused

  func download(
    _ field: String, of id: RecordID, from resource: ResourcePath
  ) async throws(BackendError) -> FileDownload { throw .unsupported("files are not read") }

  func follow(
    _ address: String, in resource: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record? { throw Self.refusal }

  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt { throw Self.refusal }

  private static let refusal = BackendError.unsupported("nothing is written")
}

extension ResourceDescription {
  fileprivate func visible(_ blanking: Blanking) -> ResourceDescription {
    var resource = self
    let identifiers = [identifier.field].compactMap(\.self) + identifier.parts
    if hasSecretIdentifiers || identifiers.contains(where: blanking.isSecret) {
      // Whatever names its records is a secret.
      resource.capabilities.operations = []
      resource.capabilities.operationsBelow = nil
    }
    resource.fields = fields.visible(blanking)
    for index in actions.indices { resource.actions[index].fields = actions[index].fields.visible(blanking) }
    resource.capabilities.unlistedFields.removeAll(where: blanking.isSecret)
    resource.capabilities.onlyListedFields.removeAll(where: blanking.isSecret)
    return resource
  }
}

extension [FieldDescription] {
  fileprivate func visible(_ blanking: Blanking) -> [FieldDescription] {
    compactMap { field in
      guard !field.isSecret, !blanking.isSecret(field.name) else { return nil }
      var field = field
      field.fields = field.fields.visible(blanking)
      return field
    }
  }
}

extension Record {
  fileprivate func visible(_ blanking: Blanking) -> Record {
    var record = self
    record.fields = fields.visible(blanking)
    record.unloaded.removeAll(where: blanking.isSecret)
    record.listed.removeAll(where: blanking.isSecret)
    return record
  }
}

extension Object {
  fileprivate func visible(_ blanking: Blanking) -> Object {
    Object(members.lazy.filter { !blanking.isSecret($0.0) }.map { ($0.0, $0.1.visible(blanking)) })
  }
}

extension Value {
  fileprivate func visible(_ blanking: Blanking) -> Value {
    switch self {
    case .object(let object): .object(object.visible(blanking))
    case .array(let elements): .array(elements.map { $0.visible(blanking) })
    case .null, .bool, .number, .string: self
    }
  }
}
