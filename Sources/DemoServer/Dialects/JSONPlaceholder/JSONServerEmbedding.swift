/// Adds related records to a record: `_embed` its children, `_expand` its parent.
struct JSONServerEmbedding {
  private let embeds: [String]
  private let expands: [String]
  private let key: String
  private let store: DialectStore

  init(_ form: Form, collection: String, store: DialectStore) {
    embeds = form.all("_embed")
    expands = form.all("_expand")
    key = JSONServerRoute.singular(collection) + "Id"
    self.store = store
  }

  func apply(to record: DemoJSON) throws -> DemoJSON {
    var record = record
    let id = record["id"].map(JSONServerText.of)
    for name in embeds {
      let children = try store.documents(in: name).map { try DemoJSON(parsing: $0.json) }
      record[name] = .array(children.filter { $0[key].map(JSONServerText.of) == id })
    }
    for name in expands {
      let parents = name + "s"
      guard let parent = record[name + "Id"].map(JSONServerText.of) else { continue }
      if let document = try store.document(in: parents, id: parent) {
        record[name] = try DemoJSON(parsing: document.json)
      }
    }
    return record
  }
}
