extension BaasicDialect {
  static let seededAt = "2015-01-01T14:24:56.795849Z"

  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws {
    try BaasicMember.seed(store)
    let todo = try insert(Self.todoSchema, settings: settings, in: store)
    for number in 0..<(count ?? 12) {
      try todo.insert(
        Self.todo(number), id: BaasicID.seeded("todo", number), at: Self.seededAt, store)
    }
    let book = try insert(Self.bookSchema, settings: settings, in: store)
    for (number, record) in (count == 0 ? [] : Self.books).enumerated() {
      try book.insert(record, id: BaasicID.seeded("Book", number), at: Self.seededAt, store)
    }
  }

  /// Takes `{"schemas": [{"name", "schema", …}], "resources": {"todo": [{…}, …]}}`; a record without an id gets one.
  /// Without `schemas` the default ones are used.
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {
    try BaasicMember.seed(store)
    let schemas = data["schemas"]?.elements ?? [Self.todoSchema, Self.bookSchema]
    do {
      for schema in schemas {
        let name = schema["name"]?.text ?? ""
        guard try BaasicSchema.named(name, in: store) == nil else {
          throw ImportError(description: "two schemas have the name \"\(name)\"")
        }
        _ = try insert(schema, settings: settings, in: store)
      }
      for member in data["resources"]?.members ?? [] {
        guard let schema = try BaasicSchema.named(member.key, in: store), let records = member.value.elements else {
          throw ImportError(description: "\"\(member.key)\" has no schema or is no array of records")
        }
        try load(records, BaasicWriter(schema: schema, settings: settings), store)
      }
    } catch let problem as BaasicProblem {
      throw ImportError(description: "a schema or record of \"baasic\" does not fit: \(problem.message)")
    }
  }

  private func load(_ records: [DemoJSON], _ writer: BaasicWriter, _ store: DialectStore) throws {
    var seen: Set<String> = []
    for (number, record) in records.enumerated() {
      let own = record["id"]?.text.flatMap { $0.isEmpty ? nil : $0 }
      let id = own ?? BaasicID.seeded(writer.schema.name, number)
      guard seen.insert(id).inserted else {
        throw ImportError(description: "two records of \"\(writer.schema.name)\" have the id \"\(id)\"")
      }
      try writer.insert(record, id: id, at: Self.seededAt, store)
    }
  }

  private func insert(_ sent: DemoJSON, settings: Settings, in store: DialectStore) throws -> BaasicWriter {
    let name = sent["name"]?.text ?? ""
    let record = try BaasicSchemas.record(
      id: BaasicID.seeded("schemas/\(name)", 0), sent, created: Self.seededAt)
    try store.insert(in: BaasicSchema.collection, id: BaasicSchema.key(name), json: record.compact())
    return BaasicWriter(schema: BaasicSchema(record: record), settings: settings)
  }
}
