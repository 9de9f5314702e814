/// Adds related records to a record: `_embed` its children, `_expand` its parent. In json-server 1 `_embed` adds both:
/// a singular name is that of a parent.
struct JSONServerEmbedding {
  /// The records to search for children, by collection.
  private let embeds: [(name: String, records: [DemoJSON])]
  private let expands: [String]
  private let key: String
  private let isVersion1: Bool
  private let store: DialectStore

  /// A parent was requested for a record without a reference to one.
  struct NoReference: Error, CustomStringConvertible {
    var description: String { "TypeError: Cannot read properties of undefined (reading 'toString')" }
  }

  init(_ form: JSONServerParameters, collection: String, store: DialectStore, isVersion1: Bool = false) throws {
    self.isVersion1 = isVersion1
    let names = form.all("_embed").filter { !$0.isEmpty }
    let parents = isVersion1 ? names.filter { JSONServerNoun.singular($0) == $0 } : []
    let there = isVersion1 ? Set(try store.collections()) : []
    embeds = try names.filter { !parents.contains($0) && (!isVersion1 || there.contains($0)) }.map { name in
      (name, try store.records(in: name))
    }
    expands = isVersion1 ? parents : form.all("_expand").filter { !$0.isEmpty }
    key = JSONServerNoun.singular(collection) + "Id"
    self.store = store
  }

  func apply(to record: DemoJSON) throws -> DemoJSON {
    var record = record
    let id = record["id"]
    for (name, records) in embeds { record[name] = .array(records.filter { $0[key] == id }) }
    for name in expands {
      let parents = JSONServerNoun.plural(name)
      guard try store.count(in: parents) > 0 else { continue }
      guard let parent = record[name + "Id"], parent != .null else {
        if isVersion1 { continue }
        throw NoReference()
      }
      // In json-server 1 identifiers are texts, so a number refers to none.
      if isVersion1, parent.text == nil { continue }
      record[name] = try store.record(in: parents, id: JSONServerText.of(parent))
    }
    return record
  }
}
