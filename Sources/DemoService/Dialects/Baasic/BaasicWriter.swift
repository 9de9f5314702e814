/// Changes the records of one schema within a transaction.
struct BaasicWriter {
  let schema: BaasicSchema
  let settings: Settings

  /// Stores a new record; an id in it is ignored.
  @discardableResult
  func insert(
    _ sent: DemoJSON, id given: String? = nil, at now: String = BaasicDate.now, _ store: DialectStore
  ) throws -> DemoJSON {
    try schema.check(sent)
    let id = try given ?? newID(store)
    var record = Self.withID(id, sent)
    if isStamped {
      record["dateCreated"] = .string(now)
      record["dateUpdated"] = .string(now)
    }
    try store.insert(in: schema.resources, id: id, json: record.compact())
    return record
  }

  /// An unused identifier for the schema: random, or the same for the same insertions.
  private func newID(_ store: DialectStore) throws -> String {
    if settings["baasic.ids"] == "random" { return BaasicID.random() }
    while true {
      let id = BaasicID.seeded("new/\(schema.resources)", Int(truncatingIfNeeded: try store.advance("baasic.ids")))
      if try store.document(in: schema.resources, id: id) == nil { return id }
    }
  }

  /// Replaces a record; omitted properties are removed.
  func update(_ id: String, _ sent: DemoJSON, _ store: DialectStore) throws -> DemoJSON {
    guard try store.document(in: schema.resources, id: id) != nil else { throw BaasicProblem.noRecord(id) }
    return try replace(id, by: sent, store)
  }

  func patch(_ id: String, _ sent: DemoJSON, _ store: DialectStore) throws -> DemoJSON {
    guard var record = try store.record(in: schema.resources, id: id) else { throw BaasicProblem.noRecord(id) }
    for member in sent.members ?? [] where member.key != "id" { record[member.key] = member.value }
    return try replace(id, by: record, store)
  }

  func delete(_ id: String, _ store: DialectStore) throws {
    guard try store.remove(in: schema.resources, id: id) else { throw BaasicProblem.noRecord(id) }
    try store.removeAll(in: BaasicAccess.list(schema, id))
  }

  private func replace(_ id: String, by record: DemoJSON, _ store: DialectStore) throws -> DemoJSON {
    try schema.check(record)
    var record = Self.withID(id, record)
    if isStamped { record["dateUpdated"] = .string(BaasicDate.now) }
    try store.replace(in: schema.resources, id: id, json: record.compact())
    return record
  }

  private var isStamped: Bool { settings["baasic.stamps"] == "yes" }

  private static func withID(_ id: String, _ record: DemoJSON) -> DemoJSON {
    .object([.init(key: "id", value: .string(id))] + (record.members ?? []).filter { $0.key != "id" })
  }
}
