/// The differences of json-server 1 from 0.17: pages are objects, identifiers random texts, and a deletion sets
/// references to the deleted record to null.
struct JSONServer1 {
  let answer: JSONServerAnswer
  let store: DemoStore

  private var dialect: String { "jsonplaceholder" }

  // MARK: Lists

  /// A list, whole or one page; a page past the end is the last one.
  func list(_ collection: String, _ form: JSONServerParameters) throws -> DemoResponse {
    let sort = JSONServerSort(keys: Self.keys(form["_sort"] ?? ""))
    let size = form["_page"].map { _ in max(1, form["_per_page"].flatMap(JSONServerPage.integer) ?? 10) }
    let (count, last, number, shown) = try store.read(dialect) { store in
      let count = try store.count(in: collection)
      let last = size.map { max(1, (count + $0 - 1) / $0) } ?? 1
      let number = min(max(1, form["_page"].flatMap(JSONServerPage.integer) ?? 1), last)
      let start = (number - 1) * (size ?? 0)
      let embedding = try JSONServerEmbedding(form, collection: collection, store: store, isVersion1: true)
      guard sort.isEmpty else {
        let records = sort.sorted(try store.records(in: collection))
        return (count, last, number, try records.dropFirst(start).prefix(size ?? count).map(embedding.apply))
      }
      let documents = try store.documents(
        in: collection, orderedBy: "position", limit: size ?? -1, offset: start)
      return (count, last, number, try documents.map { try embedding.apply(to: DemoJSON(parsing: $0.json)) })
    }
    guard size != nil else { return answer.json(.array(shown)) }
    func place(_ number: Int, if isThere: Bool = true) -> DemoJSON { isThere ? .number(String(number)) : .null }
    return answer.json([
      "first": 1, "prev": place(number - 1, if: number > 1), "next": place(number + 1, if: number < last),
      "last": place(last), "pages": place(last), "items": place(count), "data": .array(shown),
    ])
  }

  /// `-views,title`: the keys, with a minus sign for descending order.
  private static func keys(_ text: String) -> [(path: String, isDescending: Bool)] {
    text.split(separator: ",").map { ($0.first == "-" ? String($0.dropFirst()) : String($0), $0.first == "-") }
  }

  // MARK: Writes

  /// Creates a record with an unused identifier; one in the body is ignored.
  func create(_ members: [DemoJSON.Member], in collection: String) throws -> DemoResponse {
    let record = try store.write(dialect) { store in
      var id: String
      repeat {
        id = String((0..<4).map { _ in "0123456789abcdef".randomElement() ?? "0" })
      } while try store.document(in: collection, id: id) != nil
      var record: DemoJSON = ["id": .string(id)]
      for member in members where member.key != "id" { record[member.key] = member.value }
      try store.insert(in: collection, id: id, json: record.compact())
      return record
    }
    return answer.json(record, status: 201)
  }

  /// Deletes a record, and returns it.
  func delete(_ id: String, from collection: String) throws -> DemoResponse {
    let gone = try store.write(dialect) { store -> DemoJSON? in
      guard let gone = try store.record(in: collection, id: id) else { return nil }
      try store.remove(in: collection, id: id)
      let key = JSONServerNoun.singular(collection) + "Id"
      for name in try store.collections() where name != JSONPlaceholderDialect.declared {
        for document in try store.documents(in: name) {
          var record = try DemoJSON(parsing: document.json)
          guard let owner = record[key], JSONServerText.of(owner) == id else { continue }
          record[key] = .null
          try store.replace(in: name, id: document.id, json: record.compact())
        }
      }
      return gone
    }
    return gone.map { answer.json($0) } ?? answer.missing
  }
}
