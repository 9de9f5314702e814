import Foundation

extension JSONPlaceholderDialect {
  /// The default numbers of records are those of the public site.
  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws {
    let users = count == 0 ? 0 : 10
    let usesNumbers = settings["jsonplaceholder.completed"] == "number"
    func owner(_ number: Int, of total: Int) -> DemoJSON {
      .number(String(min(10, (number - 1) * 10 / max(total, 1) + 1)))
    }
    try fill("users", users, store) { number in
      [
        "id": .number(String(number)), "name": .string(SeedText.person(number).capitalized),
        "username": .string(SeedText.person(number)), "email": .string("user\(number)@example.org"),
        "address": ["street": .string("Harbour road \(number)"), "city": .string(number % 2 == 0 ? "Basel" : "Łódź")],
      ]
    }
    let todos = count ?? 200
    try fill("todos", todos, store) { number in
      let isDone = number % 20 < 9
      return [
        "userId": owner(number, of: todos), "id": .number(String(number)), "title": .string(SeedText.title(number)),
        "completed": usesNumbers ? .number(isDone ? "1" : "0") : .bool(isDone),
      ]
    }
    let posts = count ?? 100
    try fill("posts", posts, store) { number in
      [
        "userId": owner(number, of: posts), "id": .number(String(number)), "title": .string(SeedText.title(number)),
        "body": .string(SeedText.paragraph(number)),
      ]
    }
    try fill("comments", count ?? 500, store) { number in
      [
        "postId": .number(String((number - 1) / 5 + 1)), "id": .number(String(number)),
        "name": .string(SeedText.title(number)), "email": .string("reader\(number)@example.org"),
        "body": .string(SeedText.paragraph(number)),
      ]
    }
    let albums = count ?? 100
    try fill("albums", albums, store) { number in
      ["userId": owner(number, of: albums), "id": .number(String(number)), "title": .string(SeedText.title(number))]
    }
    try fill("photos", count ?? 5000, store) { number in
      [
        "albumId": .number(String((number - 1) / 50 + 1)), "id": .number(String(number)),
        "title": .string(SeedText.title(number)), "url": .string("https://example.org/photos/\(number)"),
        "thumbnailUrl": .string("https://example.org/photos/\(number)/small"),
      ]
    }
    if settings["jsonplaceholder.profile"] == "json-server-1" { try nameByTexts(store) }
  }

  private func fill(_ name: String, _ count: Int, _ store: DialectStore, _ record: (Int) -> DemoJSON) throws {
    try store.insert(in: Self.declared, id: name, json: "null")
    guard count > 0 else { return }
    for number in 1...count { try store.insert(in: name, id: String(number), json: record(number).compact()) }
  }

  /// Text identifiers, as in json-server 1.
  private func nameByTexts(_ store: DialectStore) throws {
    for name in try store.collections() where name != Self.declared {
      for document in try store.documents(in: name) {
        var record = try DemoJSON(parsing: document.json)
        record["id"] = .string(document.id)
        try store.replace(in: name, id: document.id, json: record.compact())
      }
    }
  }

  /// Takes a database of json-server: arrays of records by collection, and single records by name.
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {
    for member in JSONServerNumber.normalised(data).members ?? [] where member.key != "$schema" {
      if member.value.members != nil {
        try store.insert(in: Self.declared, id: member.key, json: member.value.compact())
        continue
      }
      guard let records = member.value.elements else {
        throw ImportError(description: "\"\(member.key)\" is no array of records and no record")
      }
      try store.insert(in: Self.declared, id: member.key, json: "null")
      for record in records {
        guard let id = record["id"].map(JSONServerText.of) else {
          throw ImportError(description: "a record of \"\(member.key)\" has no id: \(record.compact())")
        }
        try store.insert(in: member.key, id: id, json: record.compact())
      }
    }
    if settings["jsonplaceholder.profile"] == "json-server-1" { try nameByTexts(store) }
  }
}
