/// Responds to requests for the schemas themselves.
struct BaasicSchemas {
  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    switch request.settings["baasic.schemas"] {
    case "403": throw BaasicProblem.forbidden
    case "404": throw BaasicProblem.noRoute
    default: break
    }
    switch (route, request.method) {
    case (.schemas, "GET"), (.schemas, "HEAD"):
      let find = try BaasicFind(request)
      let page = try store.read("baasic") { try find.page(of: BaasicSchema.collection, known: Self.fields, $0) }
      return answer.page(find, page.records, total: page.total, in: "schemas")
    case (.schemas, "POST"): return try insert()
    case (.schema(let name), "GET"), (.schema(let name), "HEAD"):
      let found = try store.read("baasic") { try BaasicSchema.named(name, in: $0) }
      guard let found else { throw BaasicProblem.noSchema(name) }
      return answer.record(found.record, try BaasicFind(request), in: "schemas")
    case (.schema(let name), "PUT"): return try update(name)
    case (.schema(let name), "DELETE"): return try delete(name)
    default: throw BaasicProblem.noMethod
    }
  }

  static func record(
    id: String = BaasicID.random(), _ sent: DemoJSON, created: String = BaasicDate.now
  ) throws(BaasicProblem) -> DemoJSON {
    guard let name = sent["name"]?.text, !name.isEmpty else {
      throw BaasicProblem(400, "The property 'name' is required.", details: "name")
    }
    guard let schema = sent["schema"], schema.members != nil else {
      throw BaasicProblem(400, "The property 'schema' must be an object.", details: "schema")
    }
    return [
      "id": .string(id), "name": .string(name), "description": sent["description"] ?? .null,
      "enforceSchemaValidation": .bool(sent["enforceSchemaValidation"] == .bool(true)), "schema": schema,
      "dateCreated": .string(created), "dateUpdated": .string(created),
    ]
  }

  private static let fields: Set<String> = [
    "id", "name", "description", "enforceSchemaValidation", "schema", "dateCreated", "dateUpdated",
  ]

  private func insert() throws -> DemoResponse {
    let record = try Self.record(try BaasicBody.object(request))
    let schema = BaasicSchema(record: record)
    try store.write("baasic") { store in
      guard try BaasicSchema.named(schema.name, in: store) == nil else {
        throw BaasicProblem(409, "There is a schema named '\(schema.name)' already.")
      }
      try store.insert(in: BaasicSchema.collection, id: BaasicSchema.key(schema.name), json: record.compact())
    }
    return answer.record(record, in: "schemas")
  }

  private func update(_ name: String) throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    try store.write("baasic") { store in
      guard let old = try BaasicSchema.named(name, in: store) else { throw BaasicProblem.noSchema(name) }
      var record = try Self.record(id: old.id, sent)
      guard BaasicSchema.key(old.name) == BaasicSchema(record: record).name.lowercased() else {
        throw BaasicProblem(400, "A schema cannot be renamed.", details: "name")
      }
      record["dateCreated"] = old.record["dateCreated"]
      try store.replace(in: BaasicSchema.collection, id: BaasicSchema.key(name), json: record.compact())
    }
    return BaasicAnswer.noContent
  }

  /// The records are deleted with their schema.
  private func delete(_ name: String) throws -> DemoResponse {
    try store.write("baasic") { store in
      guard let old = try BaasicSchema.named(name, in: store) else { throw BaasicProblem.noSchema(name) }
      try store.removeAll(in: old.resources)
      try store.remove(in: BaasicSchema.collection, id: BaasicSchema.key(name))
    }
    return BaasicAnswer.noContent
  }
}
