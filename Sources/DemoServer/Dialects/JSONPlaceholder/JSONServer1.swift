/// What json-server 1 does otherwise than 0.17: pages are objects, identifiers random texts, and a deletion leaves what
/// named the record with null in place of its name.
struct JSONServer1 {
  let answer: JSONServerAnswer
  let store: DemoStore

  private var dialect: String { "jsonplaceholder" }

  // MARK: Lists

  /// A list, whole or the page asked for; one past the end is the last one.
  func list(_ collection: String, _ form: JSONServerParameters) throws -> DemoResponse {
    var records = try store.read(dialect) { try $0.documents(in: collection).map { try DemoJSON(parsing: $0.json) } }
    records = JSONServerSort(keys: Self.keys(form["_sort"] ?? "")).sorted(records)
    guard let page = form["_page"] else { return answer.json(.array(records)) }
    let size = max(1, form["_per_page"].flatMap(JSONServerPage.integer) ?? 10)
    let last = max(1, (records.count + size - 1) / size)
    let number = min(max(1, JSONServerPage.integer(page) ?? 1), last)
    let shown = Array(records.dropFirst((number - 1) * size).prefix(size))
    func place(_ number: Int, if isThere: Bool = true) -> DemoJSON { isThere ? .number(String(number)) : .null }
    return answer.json([
      "first": 1, "prev": place(number - 1, if: number > 1), "next": place(number + 1, if: number < last),
      "last": place(last), "pages": place(last), "items": place(records.count), "data": .array(shown),
    ])
  }

  /// `-views,title`: the keys, each with a minus sign for the other direction.
  private static func keys(_ text: String) -> [(path: String, isDescending: Bool)] {
    text.split(separator: ",").map { ($0.first == "-" ? String($0.dropFirst()) : String($0), $0.first == "-") }
  }

  // MARK: Writes

  /// A new record; an identifier that is sent along is passed over.
  func create(_ members: [DemoJSON.Member], in collection: String) throws -> DemoResponse {
    let id = String((0..<4).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    var record: DemoJSON = ["id": .string(id)]
    for member in members where member.key != "id" { record[member.key] = member.value }
    try store.write(dialect) { try $0.insert(in: collection, id: id, json: record.compact()) }
    return answer.json(record, status: 201)
  }

  /// The end of a record, which is the answer.
  func delete(_ id: String, from collection: String) throws -> DemoResponse {
    let gone = try store.write(dialect) { store -> DemoJSON? in
      guard let document = try store.document(in: collection, id: id) else { return nil }
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
      return try DemoJSON(parsing: document.json)
    }
    return gone.map { answer.json($0) } ?? answer.missing
  }
}
