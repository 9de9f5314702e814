import BackendKit

extension BaasicOptions {
  /// The dynamic resources of a Baasic application, and its schemas.
  ///
  /// Neither `purge` nor `batch`, nor a condition on a write, can be asked for.
  func service() throws(BackendError) -> Service {
    let records = try records()
    var hooks = Service.Hooks()
    hooks.compile = BaasicQuery.compile
    hooks.encode = Self.encode
    hooks.locate = Self.locate
    hooks.classify = meaning
    hooks.learn = { found in found.compactMap { BaasicSchema($0.fields)?.resource(like: records) } }
    return Service(
      product: "Baasic",
      // Plain JSON is asked for: what the hypertext form adds would only have to be taken off again.
      contentType: "application/json; charset=UTF-8",
      resources: schemas.compactMap { $0.resource(like: records) } + (try membership()) + [try catalog()],
      others: records,
      inspection: Service.Inspection(samples: true, catalog: "schemas"),
      // A code in the body is not looked at: it is not reliably the status.
      errors: Service.Errors(messages: [["message"], ["error_description"], ["error"]]), hooks: hooks)
  }

  /// Returns a resource with the facts that the records of any schema share.
  private func records() throws(BackendError) -> Service.Resource {
    var records = Service.Resource("", at: try RequestPath("resources"), identifier: IdentifierRule(form: .text))
    records.source = .unknown
    records.isOpen = true
    records.parameters = embed.map { [("embed", $0)] } ?? []
    configure(&records)
    records.projection = Service.Projection("fields", always: ["id"], isForRecords: true)
    records.embedding = Service.Embedding("embed")
    records.actions = BaasicAccess.actions
    records.creating = Service.Creating(mayAnswerNothing: true)
    return records
  }

  /// The schemas of the application. One is always replaced as a whole, and takes its records along when it is deleted.
  private func catalog() throws(BackendError) -> Service.Resource {
    var schemas = Service.Resource(
      "schemas", at: try RequestPath("schemas"), identifier: IdentifierRule(field: "name", form: .text),
      fields: [
        BaasicSchema.identifier, FieldDescription("name", .text, isRequired: true),
        FieldDescription("description", .text), FieldDescription("enforceSchemaValidation", .boolean),
        BaasicSchema.properties, FieldDescription("ownerId", .text, isReadOnly: true),
        FieldDescription("owner", .any, isReadOnly: true),
        FieldDescription("dateCreated", .date, isReadOnly: true),
        FieldDescription("dateUpdated", .date, isReadOnly: true),
      ])
    configure(&schemas)
    schemas.ignoresIdentifierCase = false
    schemas.creating = Service.Creating(mayAnswerNothing: true, takesIdentifiers: true)
    schemas.updating?.method = nil
    // The server tells names apart without case: it would delete a schema of another name with all its records.
    schemas.deleting = Service.Deleting(readsFirst: true)
    schemas.dependents = [.ofResourceNamed]
    schemas.describesResources = true
    return schemas
  }

  /// Sets the facts that all resources share.
  func configure(_ resource: inout Service.Resource) {
    resource.ignoresIdentifierCase = true
    resource.recordsAt = [["item"], ["_embedded", "item"]]
    // The documented answer for an empty page, beside an envelope without items.
    resource.emptyStatuses = [204]
    resource.paging.number = ("page", 1)
    resource.paging.size = "rpp"
    resource.paging.defaultSize = Self.defaultPageSize
    resource.paging.total = .member(["totalRecords"])
    resource.paging.counting.isExact = true
    resource.paging.counting.ignoresConditions = false
    resource.paging.echoedSize = .member(["recordsPerPage"])
    // The meaning of several keys in this parameter and the order of texts are not documented.
    resource.sorting = Service.Sorting("sort", direction: .suffix(ascending: "|asc", descending: "|desc"))
    resource.updating = Service.Updating(
      replaces ? nil : "PATCH", clearing: .replacing("PUT"),
      dropped: ["_links", "_embedded", "links", "Links", "embed"], mayAnswerNothing: true)
    resource.deleting = Service.Deleting()
  }

  // MARK: Hooks

  private static func encode(_ draft: inout Service.Draft, _ resource: Service.Resource) throws(BackendError) {
    // Clients that send an empty identifier mean none.
    if draft.isNew, draft.fields["id"] == .string("") || draft.fields["id"] == .null { draft.fields["id"] = nil }
    guard draft.fields["id"] == nil, !draft.removed.contains("id") else {
      throw .invalid("the server chooses identifiers", hint: "leave id out")
    }
    guard resource.describesResources else { return }
    for (name, value) in draft.fields.members { try BaasicSchema.check(name, value) }
    for name in draft.removed { try BaasicSchema.check(name, .null) }
  }

  /// Refuses what on the real server is not a record: DELETE …/purge empties the resource.
  private static func locate(_ id: RecordID, _ resource: Service.Resource) throws(BackendError) -> [String] {
    let word = id.text.lowercased().filter { !" ./\\\t".contains($0) }
    guard word != "purge", word != "batch" else { throw .invalid("\"\(id)\" cannot be an identifier") }
    return [id.text]
  }

  private func meaning(_ failure: Service.Failure) -> BackendError {
    var error = failure.error
    if failure.status == 405, failure.method == "PATCH" {
      error.hint = "set \(name).update put sends whole records"
    }
    if error.code == .notFound, failure.id == nil {
      error.hint = "describe shows the resources; if it fails too, check the address"
    }
    return error
  }
}

extension BaasicSchema {
  /// The resource of this schema; nil where its name makes no path.
  fileprivate func resource(like records: Service.Resource) -> Service.Resource? {
    guard let path = try? RequestPath(segments: records.path.segments + [name]) else { return nil }
    var resource = records
    resource.name = name
    resource.path = path
    resource.fields = fields
    resource.source = source
    resource.remarks["isEnforced"] = .bool(isEnforced)
    return resource
  }
}
